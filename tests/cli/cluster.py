"""A Slurm cluster with two nodes on this machine, for tests. Everything is in one folder and ends with it."""
import contextlib
import os
import pathlib
import pwd
import re
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("slurmctld", "slurmd", "sbatch", "squeue", "scancel", "munged")
NODES = ("n0", "n1")

# The intervals are short: tests wait for them. `cred_expire`: how long a task that is queued again waits.
CONF = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool%n
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/slurmd-%n.log
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,sched_min_interval=100000,bf_interval=1,batch_sched_delay=0,defer_batch
MpiDefault=none
ReturnToService=2
SlurmdTimeout=4
KillWait=2
MessageTimeout=5
InactiveLimit=0
NodeName=n0 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 RealMemory=8000
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2 RealMemory=8000
PartitionName=main Nodes=n0,n1 Default=YES MaxTime=INFINITE State=UP
"""


def why_not():
    """Why there can be no cluster here, or None."""
    missing = [name for name in PROGRAMS if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]
    if missing:
        return f"{', '.join(missing)} not installed (packages slurm-wlm, munge)"
    if os.geteuid() != 0:
        return "the daemons of Slurm need root here"
    if not pathlib.Path("/etc/munge/munge.key").exists():
        return "there is no /etc/munge/munge.key"
    try:
        socket.gethostbyname(socket.gethostname().split(".")[0])
    except OSError:
        return "the name of this host does not resolve"
    return None


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    """Started by the constructor; `environment` is for programs that use it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.daemons = {}  # name -> process
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))
        self.environment["PATH"] += ":/usr/sbin:/sbin"
        self.prepare()
        try:
            self.start()
        except BaseException:
            self.stop()
            raise

    def prepare(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)
        for name in ("state", "spooln0", "spooln1", "munge"):
            (self.folder / name).mkdir()
        # munged wants folders that are its own, and a key that nobody else reads.
        munge = self.folder / "munge"
        shutil.copy("/etc/munge/munge.key", munge / "key")
        (munge / "key").chmod(0o400)
        user = pwd.getpwnam("munge")
        for path in (munge, munge / "key"):
            os.chown(path, user.pw_uid, user.pw_gid)
        host = socket.gethostname().split(".")[0]
        conf = CONF.format(host=host, folder=self.folder, ports=free_ports(3))
        conf = conf.replace("/munge.socket", "/munge/socket")
        (self.folder / "slurm.conf").write_text(conf)

    def launch(self, name, *command, **more):
        log = open(self.folder / f"{name}.out", "ab")
        self.daemons[name] = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                              stderr=log, start_new_session=True, **more)
        log.close()

    def start(self):
        munge = self.folder / "munge"
        self.launch("munged", "munged", "--foreground", "--force", f"--key-file={munge}/key",
                    f"--socket={munge}/socket", f"--pid-file={munge}/pid", f"--seed-file={munge}/seed",
                    f"--log-file={munge}/log", user="munge")
        self.wait(lambda: (munge / "socket").exists(), "munged")
        self.launch("ctld", "slurmctld", "-D", "-f", self.folder / "slurm.conf")
        for node in NODES:
            self.start_node(node)
        self.wait(lambda: self.idle() == len(NODES), "the nodes")

    def start_node(self, node):
        self.launch(node, "slurmd", "-D", "-f", self.folder / "slurm.conf", "-N", node)

    def idle(self):
        return len(re.findall(r"^(?:idle|mixed|allocated)$", self.run("sinfo", "-h", "-N", "-o", "%T"), re.M))

    def run(self, *command):
        run = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        return run.stdout

    def queue(self):
        return [line for line in self.run("squeue", "-h", "-r", "-o", "%j %i %T %N %r").splitlines() if line]

    @staticmethod
    def wait(test, what, seconds=30):
        end = time.monotonic() + seconds
        while not test():
            if time.monotonic() > end:
                raise TimeoutError(f"{what} did not come within {seconds} s")
            time.sleep(0.1)

    def lose(self, node):
        """As if the node's power failed: its daemon and all that it runs end at once."""
        daemon = self.daemons.pop(node)
        family = [daemon.pid] + self.steps(node)
        for process in family:  # stopped first, so that none sees the end of another
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGSTOP)
        for process in family + [p for parent in family for p in descendants(parent)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        daemon.wait()

    def steps(self, node):
        """Processes of Slurm that watch over tasks on the node."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                if (entry / "comm").read_text().strip() == "slurmstepd" and self.is_of(entry, node):
                    found.append(int(entry.name))
        return found

    def is_of(self, entry, node):
        """Slurm's step daemon has descendants whose environment names the node and this configuration."""
        for process in descendants(int(entry.name)):
            with contextlib.suppress(OSError):
                variables = pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
                if f"SLURMD_NODENAME={node}".encode() in variables and \
                        f"SLURM_CONF={self.folder}/slurm.conf".encode() in variables:
                    return True
        return False

    def stop(self):
        if "ctld" in self.daemons:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.run("scancel", "-u", "root")
        for node in NODES:
            if node in self.daemons:
                self.lose(node)
        for daemon in self.daemons.values():
            daemon.terminate()
        for daemon in self.daemons.values():
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.daemons = {}


def descendants(process):
    """Of a process, without itself."""
    found = []
    with contextlib.suppress(OSError):
        for task in pathlib.Path(f"/proc/{process}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += [int(child)] + descendants(int(child))
    return found
