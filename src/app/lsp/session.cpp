#include "app/lsp/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/lsp/text.h"
#include "app/version.h"
#include "frontend/frontend.h"
#include "writer/json.h"

namespace lem::app::lsp {

// Error codes of JSON-RPC and of the protocol.
static constexpr int kParseError = -32700;
static constexpr int kInvalidRequest = -32600;
static constexpr int kMethodNotFound = -32601;
static constexpr int kInvalidParams = -32602;
static constexpr int kNotInitialized = -32002;

void Settings::take(const Json& values) {
  if (!values.is_object()) return;
  if (auto at = values.find("timeout"); at != values.end() && at->is_number())
    timeout = std::clamp(at->get<double>(), 0.1, 86'400.0);
  if (auto at = values.find("memory"); at != values.end() && at->is_number_unsigned())
    memory = std::clamp<std::uint64_t>(at->get<std::uint64_t>(), 64, 1 << 20);
  auto list = values.find("arguments");
  if (list == values.end() || !list->is_array()) return;
  arguments.clear();
  for (const Json& one : *list)
    if (one.is_string()) arguments.push_back(one.get<std::string>());
}

void Session::handle(std::string_view message) {
  Json json = Json::parse(message, nullptr, false);
  if (json.is_discarded()) return fail(nullptr, kParseError, "this is no JSON");
  if (!json.is_object()) return fail(nullptr, kInvalidRequest, "this is no message");
  auto method = json.find("method");
  bool has_id = json.contains("id");
  if (method == json.end() && has_id) return;  // an answer: we ask nothing
  if (method == json.end() || !method->is_string())
    return fail(has_id ? json["id"] : Json(), kInvalidRequest, "a message needs a method");
  const Json params = json.value("params", Json::object());
  // Parameters of another shape than the protocol's.
  try {
    if (has_id)
      request(method->get<std::string>(), json["id"], params);
    else
      notification(method->get<std::string>(), params);
  } catch (const Json::exception& error) {
    if (has_id) return fail(json["id"], kInvalidParams, error.what());
    log(std::string("ignored: ") + error.what());
  }
}

void Session::request(const std::string& method, const Json& id, const Json& params) {
  if (method == "initialize") {
    if (initialized_) return fail(id, kInvalidRequest, "initialize comes once");
    return reply(id, initialize(params));
  }
  if (!initialized_) return fail(id, kNotInitialized, "initialize comes first");
  if (shut_down_) return fail(id, kInvalidRequest, "the server is shut down");
  if (method == "textDocument/hover") return reply(id, hover(params));
  if (method != "shutdown") return fail(id, kMethodNotFound, "no method '" + method + "'");
  shut_down_ = true;
  running_.reset();
  waiting_.clear();
  documents_.clear();
  reply(id, nullptr);
}

void Session::notification(const std::string& method, const Json& params) {
  if (method == "exit") over_ = true;
  if (!initialized_ || shut_down_) return;
  if (method == "textDocument/didOpen") return opened(params.at("textDocument"));
  if (method == "textDocument/didChange") return changed(params);
  if (method == "textDocument/didSave") return saved(params);
  if (method == "textDocument/didClose") return closed(params.at("textDocument").at("uri"));
  if (method == "workspace/didChangeConfiguration") return configured(params);
}

Json Session::initialize(const Json& params) {
  initialized_ = true;
  if (auto at = params.find("processId"); at != params.end() && at->is_number_integer())
    client_ = at->get<int>();
  settings_.take(params.value("initializationOptions", Json()));
  return {{"capabilities",
           {{"textDocumentSync",
             {{"openClose", true}, {"change", 1}, {"save", {{"includeText", true}}}}},
            {"hoverProvider", true}}},
          {"serverInfo", {{"name", "lemmata"}, {"version", std::string(version())}}}};
}

void Session::configured(const Json& params) {
  Json settings = params.value("settings", Json::object());
  if (settings.is_object()) settings_.take(settings.value("lemmata", Json()));
  for (const auto& [uri, document] : documents_) want_check(uri);
}

void Session::opened(const Json& document) {
  std::string uri = document.at("uri");
  std::optional<std::string> path = path_of(uri);
  if (!path || frontend::format_of(*path) == nullptr) return;
  forget_check(uri);
  documents_[uri] = {*path, document.at("text"), document.value("version", Json()), ++revisions_};
  want_check(uri);
}

/// Whole texts, as the server asks for. What is known of the text before is void.
void Session::changed(const Json& params) {
  std::string uri = params.at("textDocument").at("uri");
  auto at = documents_.find(uri);
  const Json& changes = params.at("contentChanges");
  if (at == documents_.end() || changes.empty()) return;
  Document& document = at->second;
  document.text = changes.back().at("text").get<std::string>();
  document.version = params.at("textDocument").value("version", Json());
  document.revision = ++revisions_;
  document.result.reset();
  forget_check(uri);
  if (document.published) publish(uri, document, Json::array());
}

void Session::saved(const Json& params) {
  std::string uri = params.at("textDocument").at("uri");
  auto at = documents_.find(uri);
  if (at == documents_.end()) return;
  if (params.contains("text") && params["text"] != at->second.text) {
    at->second.text = params["text"].get<std::string>();
    at->second.revision = ++revisions_;
    at->second.result.reset();
  }
  want_check(uri);
}

void Session::closed(const std::string& uri) {
  auto at = documents_.find(uri);
  if (at == documents_.end()) return;
  forget_check(uri);
  if (at->second.published) publish(uri, at->second, Json::array());
  documents_.erase(at);
}

Json Session::hover(const Json& params) const {
  auto at = documents_.find(params.at("textDocument").at("uri").get<std::string>());
  if (at == documents_.end() || !at->second.result) return nullptr;
  std::uint32_t line = params.at("position").at("line").get<std::uint32_t>() + 1;
  std::optional<std::string> text = hover_text(*at->second.result, at->second.path, line);
  if (!text) return nullptr;
  return {{"contents", {{"kind", "markdown"}, {"value", *text}}}};
}

void Session::want_check(const std::string& uri) {
  forget_check(uri);
  waiting_.push_back(uri);
}

void Session::forget_check(const std::string& uri) {
  if (running_ && running_->uri == uri) running_.reset();
  std::erase(waiting_, uri);
}

/// Whether the file is the document. One that changes later is noticed when the check ends.
static bool is_saved(const std::string& path, const std::string& text) {
  Result<std::string> bytes = frontend::read_bytes(path);
  return bytes && same_text(*bytes, text);
}

void Session::start(const std::string& uri) {
  const Document& document = documents_.at(uri);
  if (!is_saved(document.path, document.text))
    return log(document.path + ": not checked: the document is not saved");
  // What the editor adds comes last, so that a budget among it counts.
  // They are for all documents, whatever their formats: each takes those that it has a use for.
  std::vector<std::string> words = {"check",    document.path,   "--json", "-",
                                    "--places", "--no-progress", "-q",     "--where-they-fit"};
  const std::vector<std::string>& more = settings_.arguments;
  auto given = [&](const char* option) {
    return std::any_of(more.begin(), more.end(),
                       [&](const std::string& one) { return one.starts_with(option); });
  };
  if (!given("--timeout"))
    words.insert(words.end(), {"--timeout", fmt::format("{}", settings_.timeout)});
  if (!given("--memory"))
    words.insert(words.end(), {"--memory", fmt::format("{}", settings_.memory)});
  words.insert(words.end(), more.begin(), more.end());
  running_ = Running{uri, document.revision, std::make_unique<CheckProcess>(words)};
  if (running_->process->started()) return;
  running_.reset();
  log(document.path + ": not checked: no process could be started");
}

void Session::work() {
  if (running_ && running_->process->ended()) finish();
  while (!running_ && !waiting_.empty()) {
    std::string uri = std::move(waiting_.front());
    waiting_.pop_front();
    start(uri);
  }
}

void Session::finish() {
  Running done = *std::move(running_);
  running_.reset();
  Document& document = documents_.at(done.uri);
  assert(document.revision == done.revision && "a change ends the check");
  if (!is_saved(document.path, document.text))
    return log(document.path + ": the file has changed: its result is void");
  writer::CheckedFile result;
  if (auto read = writer::read_findings(done.process->out())) result = *std::move(read);
  result.exit_code = done.process->exit_code();
  if (result.exit_code >= 64)
    result.error = done.process->err().empty()
                       ? fmt::format("error: the check ended with {}", result.exit_code)
                       : done.process->err();
  Json diagnostics = diagnostics_of({document.path, document.text, result});
  document.result = std::move(result);
  publish(done.uri, document, std::move(diagnostics));
}

void Session::publish(const std::string& uri, Document& document, Json diagnostics) {
  document.published = !diagnostics.empty();
  Json params = {{"uri", uri}, {"diagnostics", std::move(diagnostics)}};
  if (document.version.is_number_integer()) params["version"] = document.version;
  send_({{"jsonrpc", "2.0"},
         {"method", "textDocument/publishDiagnostics"},
         {"params", std::move(params)}});
}

void Session::log(const std::string& text) {
  send_({{"jsonrpc", "2.0"},
         {"method", "window/logMessage"},
         {"params", {{"type", 4}, {"message", text}}}});
}

}  // namespace lem::app::lsp
