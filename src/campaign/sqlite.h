// SQLite, as far as campaigns use it: statements with values by position, and transactions.
// Tests: tests/unit/campaign/session_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace lem::campaign {

class Sqlite;

/// One prepared statement, used again and again.
class Statement {
 public:
  Statement(Sqlite& database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// Binds the next value, from the first after a reset.
  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view value);
  /// True while there are rows. Afterwards the statement is reset; errors are the database's.
  bool step();
  /// For statements without rows.
  void run() {
    while (step()) {
    }
  }
  std::int64_t number(int column) const;
  double real(int column) const;
  std::string text(int column) const;

 private:
  Sqlite& database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

/// A connection. The first error is kept and ends all later work: callers look at `status()` after
/// a sequence of statements.
class Sqlite {
 public:
  enum class Mode : std::uint8_t { Write, Read };
  Sqlite(const std::string& path, Mode mode);
  ~Sqlite();
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;

  Status status() const;
  bool failed() const { return !error_.empty(); }
  void execute(const std::string& sql);
  /// All of `work` or nothing of it.
  Status transaction(const std::function<void()>& work);

 private:
  friend class Statement;
  void note(int code);

  sqlite3* handle_ = nullptr;
  std::string path_;
  std::string error_;
};

}  // namespace lem::campaign
