// The state of the language server: documents, the check that runs and those that wait. Takes
// messages and gives messages; server.h waits for both.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lsp/check_process.h"
#include "app/lsp/messages.h"

namespace lem::app::lsp {

/// How files are checked. The editor may change it (`initializationOptions`, `lemmata.*` of
/// `workspace/didChangeConfiguration`).
struct Settings {
  double timeout = 10;          // seconds
  std::uint64_t memory = 2048;  // megabytes
  std::vector<std::string> arguments{};

  void take(const Json& values);
};

class Session {
 public:
  using Send = std::function<void(const Json&)>;
  Session(Settings settings, Send send) : settings_(std::move(settings)), send_(std::move(send)) {}

  void handle(std::string_view message);
  /// Looks after the check that runs, and starts the next.
  void work();
  /// What can be waited for; -1: no check runs.
  int waiting_for() const { return running_ ? running_->process->output() : -1; }

  bool is_over() const { return over_; }
  bool was_shut_down() const { return shut_down_; }
  /// Of the client, if it said so.
  std::optional<int> client_process() const { return client_; }

 private:
  struct Document {
    std::string path;
    std::string text;
    Json version;
    std::uint64_t revision = 0;
    bool published = false;  // some diagnostics
    std::optional<writer::CheckedFile> result{};
  };
  struct Running {
    std::string uri;
    std::uint64_t revision = 0;
    std::unique_ptr<CheckProcess> process;
  };

  void request(const std::string& method, const Json& id, const Json& params);
  void notification(const std::string& method, const Json& params);
  Json initialize(const Json& params);
  Json hover(const Json& params) const;
  void opened(const Json& document);
  void changed(const Json& params);
  void saved(const Json& params);
  void closed(const std::string& uri);
  void configured(const Json& params);

  void want_check(const std::string& uri);
  void forget_check(const std::string& uri);
  void start(const std::string& uri);
  void finish();
  void publish(const std::string& uri, Document& document, Json diagnostics);
  void log(const std::string& text);

  void reply(const Json& id, Json result) {
    send_({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
  }
  void fail(const Json& id, int code, const std::string& text) {
    send_({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", text}}}});
  }

  Settings settings_;
  Send send_;
  std::map<std::string, Document> documents_;  // by URI
  std::deque<std::string> waiting_;
  std::optional<Running> running_;
  std::uint64_t revisions_ = 0;
  std::optional<int> client_;
  bool initialized_ = false;
  bool shut_down_ = false;
  bool over_ = false;
};

}  // namespace lem::app::lsp
