#include "frontend/guess.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace lem::frontend {
namespace {

TEST(Guess, TextsOfEveryFormat) {
  EXPECT_EQ(guess_extension("aag 0 0 0 1 0\n0\n"), ".aag");
  EXPECT_EQ(guess_extension("aig 0 0 0 1 0\n0\n"), ".aig");
  EXPECT_EQ(guess_extension("; a comment\n\n1 sort bitvec 1\n"), ".btor2");
  EXPECT_EQ(guess_extension(";; x\n(declare-fun x () Int)\n(define-fun .x () Int (! x :next y))"),
            ".vmt");
  EXPECT_EQ(guess_extension("(set-logic HORN)\n"), ".smt2");
  EXPECT_EQ(guess_extension("-- a comment\nnode main() returns (x: bool);"), ".lus");
  EXPECT_EQ(guess_extension("(* a *) // b\nprogram p END_PROGRAM"), ".st");
  EXPECT_EQ(guess_extension("FUNCTION f : INT\nEND_FUNCTION"), ".st");
  EXPECT_EQ(guess_extension("<?xml version=\"1.0\"?><project/>"), ".xml");
  EXPECT_EQ(guess_extension("/* a */\n#include <assert.h>\nint main(void) {}"), ".c");
  EXPECT_EQ(guess_extension("extern int x;"), ".c");
  EXPECT_EQ(guess_extension("; ModuleID = 'x'\n"), ".ll");
  EXPECT_EQ(guess_extension("// a\n`default_nettype none\nmodule m; endmodule"), ".sv");
  EXPECT_EQ(guess_extension("module m; endmodule"), ".sv");
}

TEST(Guess, TextsThatTellNothing) {
  for (const char* text : {"", "  \n", "/* open", "; only a comment", "hello world", "(*"})
    EXPECT_EQ(guess_extension(text), "") << text;
}

/// Of formats with several extensions one is as good as another.
TEST(Guess, Examples) {
  auto format = [](std::string extension) {
    if (extension == ".aig") return std::string(".aag");
    return extension == ".scl" ? std::string(".st") : extension;
  };
  int found = 0;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(std::string(LEM_SOURCE_DIR) + "/examples")) {
    std::string extension = file.path().extension().string();
    if (!file.is_regular_file() || extension == ".cpp") continue;
    std::ifstream in(file.path(), std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    EXPECT_EQ(format(std::string(guess_extension(text))), format(extension)) << file.path();
    ++found;
  }
  EXPECT_GT(found, 20);
}

}  // namespace
}  // namespace lem::frontend
