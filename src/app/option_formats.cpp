#include "app/option_formats.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>

#include "frontend/frontend.h"

namespace lem::app {

namespace {

// Extensions; the formats are those of frontend::all_formats().
constexpr std::string_view kCText = ".c";  // what the preprocessor reads
constexpr std::string_view kC = ".c .i .ll .bc";
constexpr std::string_view kPlc = ".st .scl .xml .TcPOU";
constexpr std::string_view kHardware = ".aag .aig .btor .btor2";
constexpr std::string_view kVerilog = ".v .sv";
constexpr std::string_view kCAndPlc = ".c .i .ll .bc .st .scl .xml .TcPOU";
constexpr std::string_view kCTextAndVerilog = ".c .v .sv";
constexpr std::string_view kEntries = ".c .i .ll .bc .st .scl .xml .TcPOU .lus";

constexpr std::array kUses = {
    OptionUse{"--check", kCAndPlc, "overflow, division, bounds and the like as properties"},
    OptionUse{"--entry", kEntries, "the function, block or node that is checked"},
    OptionUse{"--top", ".v .sv .lus", "the module or node that is checked"},
    OptionUse{"--parameter", ".v .sv .st .scl .xml .TcPOU",
              "values of parameters, inputs that never change"},
    OptionUse{"-I", kCTextAndVerilog, "folders of files to include"},
    OptionUse{"-D", kCTextAndVerilog, "macros"},
    OptionUse{"-U", kCText, "macros"},
    OptionUse{"--include", kCText, "a file that is included first"},
    OptionUse{"--compile-commands", kCText, "how the files of a program are compiled"},
    OptionUse{"--svcomp", kC, "the property and the answers of SV-COMP"},
    OptionUse{"--undefined", kC, "calls of functions without a body"},
    OptionUse{"--device-memory", kC, "volatile variables and fixed addresses"},
    OptionUse{"--pointer-size", kC, "the arguments of --entry"},
    OptionUse{"--pointer-depth", kC, "the arguments of --entry"},
    OptionUse{"--globals", kC, "the variables that --entry finds"},
    OptionUse{"--native", kC, "whether a run is compiled and run"},
    OptionUse{"--time", kPlc, "how much time a cycle takes"},
    OptionUse{"--assume", kCAndPlc,
              "conditions at the beginning of every cycle, or when a function is called"},
    OptionUse{"--require", kPlc, "pattern requirements"},
    OptionUse{"--requirements", kPlc, "files with requirements"},
    OptionUse{"--retain", kPlc, "the first values of RETAIN variables"},
    OptionUse{"--hwmcc", kHardware, "the answers of the hardware model checking competition"},
};

/// As frontend::format_of() understands it.
std::string_view extension_in(std::string_view path) {
  std::size_t slash = path.rfind('/');
  path.remove_prefix(slash == path.npos ? 0 : slash + 1);
  std::size_t dot = path.rfind('.');
  return dot == path.npos ? std::string_view() : path.substr(dot);
}

bool lists(std::string_view extensions, std::string_view wanted) {
  while (!extensions.empty()) {
    std::size_t blank = extensions.find(' ');
    if (extensions.substr(0, blank) == wanted) return true;
    extensions.remove_prefix(blank == extensions.npos ? extensions.size() : blank + 1);
  }
  return false;
}

/// `--check`, `--check=bounds`, `-I`, `-Iinclude`.
bool names(std::string_view word, std::string_view option) {
  if (!word.starts_with(option)) return false;
  bool one_letter = option.size() == 2;
  return one_letter || word.size() == option.size() || word[option.size()] == '=';
}

}  // namespace

std::span<const OptionUse> option_uses() {
  return kUses;
}

std::vector<const OptionUse*> uses_given(const CLI::App& cmd) {
  std::vector<const OptionUse*> out;
  for (const OptionUse& use : kUses) {
    const CLI::Option* option = cmd.get_option_no_throw(std::string(use.option));
    if (option != nullptr && option->count() > 0) out.push_back(&use);
  }
  return out;
}

std::vector<const OptionUse*> uses_among(std::span<const std::string> words) {
  std::vector<const OptionUse*> out;
  for (const OptionUse& use : kUses)
    if (std::any_of(words.begin(), words.end(),
                    [&](const std::string& word) { return names(word, use.option); }))
      out.push_back(&use);
  return out;
}

Status check_uses(std::span<const OptionUse* const> given, std::span<const std::string> files) {
  for (const std::string& file : files)  // reading the file gives the error then
    if (frontend::format_of(file) == nullptr) return Ok{};
  for (const OptionUse* use : given) {
    auto fits = [&](const std::string& file) { return lists(use->extensions, extension_in(file)); };
    if (std::any_of(files.begin(), files.end(), fits)) continue;
    return Error{{files.front()},
                 std::string(use->option) + " is of no use here: it is for " +
                     std::string(use->extensions) + " (" + std::string(use->purpose) + ")",
                 ErrorKind::Usage};
  }
  return Ok{};
}

}  // namespace lem::app
