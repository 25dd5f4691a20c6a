#include "app/lsp/server.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "app/lsp/session.h"
#include "app/lsp/transport.h"

namespace lem::app::lsp {

static constexpr ExitCode kUnclean = ExitCode::Unsafe;  // 1, as the protocol wants it
static constexpr int kIdleMs = 1000;
static constexpr int kBusyMs = 50;

/// What the client has written; false at the end of its stream.
static bool read_some(MessageReader& reader) {
  char buffer[1 << 16];
  ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
  if (got > 0) reader.add({buffer, static_cast<std::size_t>(got)});
  return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

/// An editor that crashed may have left the stream open in another process.
static bool is_gone(const Session& session) {
  std::optional<int> client = session.client_process();
  return client && kill(*client, 0) != 0 && errno == ESRCH;
}

/// Waits for the client or for the check.
static bool client_wrote(const Session& session) {
  pollfd ready[] = {{STDIN_FILENO, POLLIN, 0}, {session.waiting_for(), POLLIN, 0}};
  bool busy = session.waiting_for() >= 0;
  poll(ready, busy ? 2 : 1, busy ? kBusyMs : kIdleMs);
  if (busy && (ready[1].revents & POLLHUP) != 0) usleep(2000);  // the end of the process is near
  return ready[0].revents != 0;
}

ExitCode serve(std::vector<std::string> arguments, Console& console) {
  Settings settings;
  settings.arguments = std::move(arguments);
  Session session(std::move(settings), [&](const Json& message) {
    console.out(framed(message.dump(-1, ' ', false, Json::error_handler_t::replace)));
  });
  MessageReader reader;
  while (!session.is_over() && !reader.broken() && !console.output_lost()) {
    session.work();
    if (is_gone(session)) break;
    if (client_wrote(session) && !read_some(reader)) break;
    while (!session.is_over())
      if (std::optional<std::string> message = reader.next())
        session.handle(*message);
      else
        break;
  }
  return session.is_over() && session.was_shut_down() ? ExitCode::Safe : kUnclean;
}

}  // namespace lem::app::lsp
