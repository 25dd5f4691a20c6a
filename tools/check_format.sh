#!/bin/sh
# Every C++ file as clang-format wants it; --fix rewrites them.
set -eu
cd "$(dirname "$0")/.."
files=$(find src tests bench \( -name '*.h' -o -name '*.cpp' \) | sort)
if ! command -v clang-format > /dev/null; then
  echo "check_format: clang-format is not installed" >&2
  exit 1
fi
if [ "${1:-}" = "--fix" ]; then
  echo "$files" | xargs clang-format -i
  exit 0
fi
if ! echo "$files" | xargs clang-format --dry-run --Werror; then
  echo "check_format: run 'make format'" >&2
  exit 1
fi
echo "check_format: $(echo "$files" | wc -l) files, all formatted"
