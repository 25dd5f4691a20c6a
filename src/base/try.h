// Passes errors on, in functions that return a Result themselves. Tests:
// tests/unit/base/result_test.cpp.
//
//   LEM_TRY(check_writable(output));              // a Status
//   LEM_LET(Problem problem, read_problem(path)); // the value of a Result
#pragma once

#include <utility>

#include "base/result.h"

/// Returns the error of a Result, if it has one.
#define LEM_TRY(...) \
  if (auto lem_tried = (__VA_ARGS__); !lem_tried) return lem_tried.error()

/// `declaration = value`, or returns the error. Two statements: not the body of an `if` or a loop.
#define LEM_LET(declaration, ...) \
  LEM_LET_FROM(LEM_JOIN(lem_result_, __LINE__), declaration, __VA_ARGS__)

#define LEM_LET_FROM(result, declaration, ...) \
  auto result = (__VA_ARGS__);                 \
  if (!result) return result.error();          \
  declaration = *std::move(result)
#define LEM_JOIN(a, b) LEM_JOIN_EXPANDED(a, b)
#define LEM_JOIN_EXPANDED(a, b) a##b
