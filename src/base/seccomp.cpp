#include "base/seccomp.h"

#include <sched.h>
#include <seccomp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>

namespace lem {

namespace {

struct Release {
  void operator()(void* filter) const { seccomp_release(filter); }
};
using Filter = std::unique_ptr<void, Release>;

constexpr std::array kForbidden = {
    // others' processes
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp),
    SCMP_SYS(pidfd_getfd), SCMP_SYS(process_madvise),
    // what is mounted, and other ways to files
    SCMP_SYS(mount), SCMP_SYS(umount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot),
    SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(fsopen), SCMP_SYS(fsmount),
    SCMP_SYS(fsconfig), SCMP_SYS(fspick), SCMP_SYS(mount_setattr), SCMP_SYS(open_by_handle_at),
    SCMP_SYS(name_to_handle_at), SCMP_SYS(quotactl), SCMP_SYS(swapon), SCMP_SYS(swapoff),
    // namespaces
    SCMP_SYS(unshare), SCMP_SYS(setns),
    // the kernel's keys, programs, events and modules
    SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register), SCMP_SYS(init_module),
    SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load), SCMP_SYS(reboot), SCMP_SYS(syslog), SCMP_SYS(acct),
    SCMP_SYS(lookup_dcookie), SCMP_SYS(nfsservctl), SCMP_SYS(vhangup),
    // the machine
    SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(modify_ldt), SCMP_SYS(vm86), SCMP_SYS(vm86old),
    SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex),
    SCMP_SYS(stime), SCMP_SYS(sethostname), SCMP_SYS(setdomainname),
    // the network, which is empty in there anyway
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(socketcall)};

constexpr std::array<std::uint64_t, 8> kNamespaces = {
    CLONE_NEWNS,  CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
    CLONE_NEWPID, CLONE_NEWUSER,   CLONE_NEWNET, 0x80 /* CLONE_NEWTIME */};

constexpr std::uint32_t kRefuse = SCMP_ACT_ERRNO(EPERM);

/// It is not an error if one of the architectures lacks the call.
bool refuse(void* filter, int call) {
  int failed = seccomp_rule_add(filter, kRefuse, call, 0);
  return failed == 0 || failed == -EDOM || failed == -EINVAL;
}

bool add_rules(void* filter, Forking forking) {
#ifdef __x86_64__  // programs of 32 bits are run, too
  if (int failed = seccomp_arch_add(filter, SCMP_ARCH_X86); failed != 0 && failed != -EEXIST)
    return false;
#endif
  bool fine = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0;
  for (int call : kForbidden) fine = fine && refuse(filter, call);
  // Its flags are in memory, where a filter cannot look; libraries then use the older clone.
  fine = fine && seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
  if (forking == Forking::Forbidden) {
    for (int call : {SCMP_SYS(clone), SCMP_SYS(fork), SCMP_SYS(vfork)})
      fine = fine && refuse(filter, call);
    return fine;
  }
  for (std::uint64_t flag : kNamespaces)
    fine = fine && seccomp_rule_add(filter, kRefuse, SCMP_SYS(clone), 1,
                                    SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)) == 0;
  return fine;
}

}  // namespace

Descriptor seccomp_filter(Forking forking) {
  Filter filter(seccomp_init(SCMP_ACT_ALLOW));
  if (filter == nullptr || !add_rules(filter.get(), forking)) return {};
  Descriptor file = file_in_memory({});
  if (!file.ok() || seccomp_export_bpf(filter.get(), file.fd()) != 0) return {};
  lseek(file.fd(), 0, SEEK_SET);
  return file;
}

}  // namespace lem
