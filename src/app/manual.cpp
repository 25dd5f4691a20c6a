#include "app/manual.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "app/version.h"
#include "run/selection.h"

namespace lem::app {

namespace {

using Commands = std::vector<const CLI::App*>;
using OptionList = std::vector<const CLI::Option*>;

/// Those that help lists.
Commands commands_of(const CLI::App& app) {
  Commands listed;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) listed.push_back(command);
  return listed;
}

OptionList options_of(const CLI::App& command) {
  OptionList listed;
  for (const CLI::Option* option :
       command.get_options([](const CLI::Option* one) { return !one->get_group().empty(); }))
    if (option->nonpositional()) listed.push_back(option);
  return listed;
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string option_words(const CLI::App& command) {
  std::string words;
  for (const CLI::Option* option : options_of(command))
    for (const std::string& name : names_of(*option)) words += (words.empty() ? "" : " ") + name;
  return words;
}

std::string engine_words() {
  std::string words;
  for (const run::Selectable& one : run::all_selectable())
    words += (words.empty() ? "" : " ") + std::string(one.id);
  return words;
}

/// Each of these characters gets a backslash before it.
std::string escaped(const std::string& text, std::string_view special) {
  std::string out;
  for (char c : text) {
    if (special.find(c) != special.npos) out += '\\';
    out += c;
  }
  return out;
}

/// Inside single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

// Shells ------------------------------------------------------------------------------------------

std::string for_bash(const CLI::App& app) {
  std::string all, cases;
  for (const CLI::App* command : commands_of(app)) {
    all += (all.empty() ? "" : " ") + command->get_name();
    cases += fmt::format("    {}) words='{}' ;;\n", command->get_name(), option_words(*command));
  }
  return fmt::format(R"(# bash completion for lemmata
_lemmata() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words=
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- "$current")
    return
  fi
  if [[ $previous == --engine ]]; then
    mapfile -t COMPREPLY < <(compgen -W '{}' -- "$current")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -o filenames -F _lemmata lemmata
)",
                     all, engine_words(), cases);
}

std::string zsh_option(const CLI::Option& option) {
  std::string help = quoted(escaped(option.get_description(), "[]:\\"));
  std::string value = !takes_value(option) ? "" : ":value:_files", out;
  for (const std::string& name : names_of(option)) {
    std::string what = name == "--engine" ? fmt::format(":engine:({})", engine_words()) : value;
    out += fmt::format(" \\\n        '*{}[{}]{}'", name, help, what);
  }
  return out;
}

std::string for_zsh(const CLI::App& app) {
  std::string all, cases;
  for (const CLI::App* command : commands_of(app)) {
    all += fmt::format("    '{}:{}'\n", command->get_name(),
                       quoted(escaped(command->get_description(), ":\\")));
    cases += fmt::format("    {})\n      _arguments '*:file:_files'", command->get_name());
    for (const CLI::Option* option : options_of(*command)) cases += zsh_option(*option);
    cases += " ;;\n";
  }
  return fmt::format(R"(#compdef lemmata
_lemmata() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_lemmata "$@"
)",
                     all, cases);
}

std::string for_fish(const CLI::App& app) {
  std::string out = "# fish completion for lemmata\n";
  for (const CLI::App* command : commands_of(app)) {
    out += fmt::format("complete -c lemmata -n __fish_use_subcommand -f -a {} -d '{}'\n",
                       command->get_name(), escaped(command->get_description(), "'\\"));
    for (const CLI::Option* option : options_of(*command)) {
      out += fmt::format("complete -c lemmata -n '__fish_seen_subcommand_from {}'",
                         command->get_name());
      for (const std::string& name : option->get_snames()) out += " -s " + name;
      for (const std::string& name : option->get_lnames()) out += " -l " + name;
      if (takes_value(*option)) out += " -r";
      if (option->check_lname("engine")) out += " -f -a '" + engine_words() + "'";
      out += fmt::format(" -d '{}'\n", escaped(option->get_description(), "'\\"));
    }
  }
  return out;
}

// The manual --------------------------------------------------------------------------------------

/// A line of text: no character of it is a command of roff.
std::string roff(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '\n') {
      out += ' ';
      continue;
    }
    if (c == '\\' || c == '-') out += '\\';
    out += c == '\\' ? 'e' : c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string roff_options(const CLI::App& command) {
  std::string out;
  for (const CLI::Option* option : options_of(command)) {
    std::string names;
    for (const std::string& name : names_of(*option))
      names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    if (takes_value(*option)) names += " \\fIvalue\\fR";
    out += fmt::format(".TP\n{}\n{}\n", names, roff(option->get_description()));
  }
  return out;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string out = fmt::format(".TH LEMMATA 1 \"\" \"lemmata {}\" \"User Commands\"\n", version());
  out += ".SH NAME\nlemmata \\- proves or refutes safety properties by incremental induction\n";
  out += ".SH SYNOPSIS\n";
  for (const CLI::App* command : commands_of(app))
    out += fmt::format(".B lemmata {}\n[\\fIoptions\\fR]\n.br\n", roff(command->get_name()));
  out += ".SH DESCRIPTION\n" + roff(app.get_description()) +
         ".\nModels are circuits (AIGER, BTOR2, Verilog), transition systems (VMT, Horn clauses, "
         "Lustre), C programs and PLC programs. One line for each property says \\fBsafe\\fR, "
         "\\fBunsafe\\fR or \\fBunknown\\fR, and every verdict is checked on the model before it "
         "is printed.\n";
  for (const CLI::App* command : commands_of(app))
    out += fmt::format(".SH LEMMATA {}\n{}.\n{}", roff(command->get_name()),
                       roff(command->get_description()), roff_options(*command));
  out += R"(.SH EXIT STATUS
.TP
0
every property is safe
.TP
1
some property is unsafe
.TP
2
none is unsafe, some are unknown
.TP
64 to 66, 70
usage, bad input, missing file, internal error
)";
  return out;
}

Result<std::string> completion(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return for_bash(app);
  if (shell == "zsh") return for_zsh(app);
  if (shell == "fish") return for_fish(app);
  return Error{{}, "unknown shell '" + shell + "' (bash, zsh, fish)", ErrorKind::Usage};
}

}  // namespace lem::app
