#include "campaign/sqlite.h"

#include <sqlite3.h>

namespace lem::campaign {

static constexpr int kBusyMs = 10'000;

Statement::Statement(Sqlite& database, std::string_view sql) : database_(database) {
  if (database.failed()) return;
  database.note(sqlite3_prepare_v2(database.handle_, sql.data(), static_cast<int>(sql.size()),
                                   &statement_, nullptr));
}

Statement::~Statement() {
  sqlite3_finalize(statement_);
}

Statement& Statement::bind(std::int64_t value) {
  if (statement_ != nullptr) database_.note(sqlite3_bind_int64(statement_, ++bound_, value));
  return *this;
}

Statement& Statement::bind(double value) {
  if (statement_ != nullptr) database_.note(sqlite3_bind_double(statement_, ++bound_, value));
  return *this;
}

Statement& Statement::bind(std::string_view value) {
  if (statement_ != nullptr)
    database_.note(sqlite3_bind_text(statement_, ++bound_, value.data(),
                                     static_cast<int>(value.size()), SQLITE_TRANSIENT));
  return *this;
}

bool Statement::step() {
  if (statement_ == nullptr || database_.failed()) return false;
  int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.note(code);
  sqlite3_reset(statement_);
  bound_ = 0;
  return false;
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_, column);
}

std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text), size);
}

Sqlite::Sqlite(const std::string& path, Mode mode) : path_(path) {
  int flags =
      mode == Mode::Read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  note(sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr));
  if (!failed()) sqlite3_busy_timeout(handle_, kBusyMs);
}

Sqlite::~Sqlite() {
  sqlite3_close(handle_);
}

void Sqlite::note(int code) {
  if (code == SQLITE_OK || failed()) return;
  error_ = handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_);
}

Status Sqlite::status() const {
  if (!failed()) return Ok{};
  return Error{{path_}, "database: " + error_};
}

void Sqlite::execute(const std::string& sql) {
  if (!failed()) note(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr));
}

Status Sqlite::transaction(const std::function<void()>& work) {
  execute("BEGIN IMMEDIATE");
  if (failed()) return status();
  work();
  if (!failed()) execute("COMMIT");
  if (failed()) sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
  return status();
}

}  // namespace lem::campaign
