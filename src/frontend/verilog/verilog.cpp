#include "frontend/verilog/verilog.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "frontend/btor2/btor2.h"
#include "frontend/verilog/flow.h"
#include "frontend/verilog/netlist.h"
#include "frontend/verilog/sources.h"
#include "frontend/verilog/yosys.h"

namespace lem::verilog {

/// Yosys's `proc` begins with proc_clean, which decides a switch over a constant and, in 0.23,
/// takes
/// `?` of a casez for a value that no constant has. Multiplexers are made before it.
static constexpr std::string_view kProcesses =
    "proc_rmdead\nproc_prune\nproc_init\nproc_arst\nproc_rom\nproc_mux\nproc_dlatch\nproc_dff\n"
    "proc_memwr\nproc_clean\nproc";

namespace {

class Reader {
 public:
  Reader(const std::string& path, const frontend::SourceOptions& source,
         const VerilogOptions& options, Remarks* remarks, Yosys yosys)
      : path_(path),
        sources_(source),
        options_(options),
        remarks_(remarks),
        yosys_(std::move(yosys)) {}

  Result<Problem> run();

 private:
  Status understand();
  void find_statements();
  Status check_implicit_nets() const;
  Status parse();
  Status find_top();
  Status elaborate();
  void explain_undriven();
  Result<std::string> lower();
  Status run_flow(const std::string& commands);
  Status move_words();
  Result<Problem> finish(const std::string& btor2);
  Status name_properties(Problem& problem, std::vector<Term>& premises);
  std::vector<std::string> property_names() const;
  Result<std::string> parameter_commands() const;

  Status script(const std::string& text);
  void keep(const Messages& messages);
  Error error(std::string message, ErrorKind kind = ErrorKind::BadInput) const {
    return {{path_}, std::move(message), kind};
  }

  const std::string& path_;  // borrowed, as the next three
  const frontend::SourceOptions& sources_;
  const VerilogOptions& options_;
  Remarks* remarks_;
  Yosys yosys_;
  Dialect dialect_ = Dialect::AllSystem;
  std::string top_;
  Netlist netlist_;
  std::vector<Formal> formals_;
  Sources read_;
  std::vector<Warning> warnings_;
};

/// Yosys repeats what it says about a module for each of its uses.
void Reader::keep(const Messages& messages) {
  for (const Warning& warning : messages.warnings) {
    bool known = std::any_of(warnings_.begin(), warnings_.end(),
                             [&](const Warning& each) { return each.text() == warning.text(); });
    if (!known) warnings_.push_back(warning);
  }
}

Status Reader::script(const std::string& text) {
  Result<Messages> messages = yosys_.run(text);
  if (!messages) return messages.error();
  for (Warning& warning : messages->warnings) warning.at = read_.place(warning.at);
  if (messages->error) {
    messages->error->at = read_.place(messages->error->at);
    if (messages->error->at.line == 0)
      messages->error->at = read_.place_of_words(messages->error->at, messages->error->message);
    return *messages->error;
  }
  keep(*messages);
  return Ok{};
}

/// Files called .v are read as Verilog where they are no SystemVerilog.
Status Reader::parse() {
  auto attempt = [&](Dialect dialect) -> Status {
    dialect_ = dialect;
    warnings_.clear();
    Result<Sources> read = read_sources(yosys_, dialect, View::Formal);
    if (!read) return read.error();
    read_ = *std::move(read);
    if (Status done = script(yosys_.read_command(dialect) + "write_rtlil @raw.il@\n"); !done)
      return done;
    return check_implicit_nets();
  };
  Status done = attempt(Dialect::AllSystem);
  bool some_plain = std::any_of(yosys_.files().begin(), yosys_.files().end(),
                                [](const std::string& file) { return file.ends_with(".v"); });
  if (!done && some_plain && attempt(Dialect::ByName)) done = Ok{};
  return done;
}

/// Yosys makes a wire of every undeclared name; the standard only of those that are connected.
Status Reader::check_implicit_nets() const {
  constexpr std::string_view kStart = "identifier '";
  for (const Warning& warning : warnings_) {
    std::size_t end = warning.message.find("' is implicitly declared");
    if (!warning.message.starts_with(kStart) || end == std::string::npos) continue;
    std::string name = warning.message.substr(kStart.size(), end - kStart.size());
    if (Status fine = read_.check_implicit(name, warning.at); !fine) return fine;
  }
  return Ok{};
}

Status Reader::find_top() {
  top_ = options_.top;
  if (!top_.empty()) return Ok{};
  Result<std::string> raw = yosys_.get("raw.il");
  if (!raw) return raw.error();
  std::vector<std::string> roots = roots_of(*raw);
  if (roots.size() == 1) {
    top_ = roots[0];
    return Ok{};
  }
  if (roots.empty())
    return error("no module is at the top: each is an instance of another (see --top)");
  std::string list;
  for (const std::string& root : roots) list += (list.empty() ? "" : ", ") + root;
  return error("several modules are instances of no other: " + list + "; choose one with --top",
               ErrorKind::Usage);
}

/// chparam before hierarchy: the other way round some designs end Yosys.
Result<std::string> Reader::parameter_commands() const {
  std::string out;
  for (const std::string& each : options_.parameters) {
    std::size_t equals = each.find('=');
    if (equals == each.npos || equals == 0 || equals + 1 == each.size() ||
        each.find_first_of(" \t\n;#\\@") != each.npos)
      return error("--parameter '" + each + "': expected NAME=VALUE without blanks",
                   ErrorKind::Usage);
    out += "chparam -set " + each.substr(0, equals) + " " + each.substr(equals + 1) + " " + top_ +
           "\n";
  }
  return out;
}

Status Reader::elaborate() {
  if (top_.find_first_of(" \t\n;#@\"") != top_.npos)
    return error("--top '" + top_ + "': no name of a module", ErrorKind::Usage);
  Result<std::string> parameters = parameter_commands();
  if (!parameters) return parameters.error();
  Status done = script(yosys_.read_command(dialect_) + *parameters + "hierarchy -simcheck -top " +
                       top_ + "\n" + std::string(kProcesses) +
                       "\nflatten\ncheck\nwrite_json @flat.json@\nwrite_rtlil @flat.il@\n");
  if (!done) {
    Error wrong = done.error();
    bool about_top = wrong.message.find("module '" + top_ + "' not found") != std::string::npos;
    bool about_parameter = wrong.message.find("defparam") != std::string::npos;
    if (about_top || about_parameter) wrong.kind = ErrorKind::Usage;
    if (about_parameter)
      wrong.message =
          "module '" + top_ + "' has no parameter " +
          wrong.message.substr(std::min(wrong.message.find('\''), wrong.message.size()));
    return wrong;
  }
  Result<std::string> json = yosys_.get("flat.json");
  if (!json) return json.error();
  std::optional<Netlist> netlist = read_netlist(*json, top_);
  if (!netlist) return error("yosys wrote no netlist of '" + top_ + "'", ErrorKind::Internal);
  if (netlist->judged_by_reset)
    return Error{read_.place(*netlist->judged_by_reset),
                 "unsupported: an assertion that an asynchronous reset triggers (put it into the "
                 "branch of the clock, or into a process of the clock)"};
  if (netlist->below_zero)
    return Error{*netlist->below_zero, "unsupported: an array with a negative index",
                 ErrorKind::BadInput};
  if (std::optional<Error> bad = wrong_initial_value(*json, top_, read_.initial_values))
    return *std::move(bad);
  netlist_ = *std::move(netlist);
  explain_undriven();
  return Ok{};
}

/// `wire top.x [1] is used but has no driver`, for each bit: said once, with the place.
void Reader::explain_undriven() {
  std::string start = "wire " + top_ + ".";
  std::set<std::string> told;
  std::erase_if(warnings_, [&](Warning& warning) {
    std::size_t end = warning.message.find(" is used but has no driver");
    if (!warning.message.starts_with(start) || end == std::string::npos) return false;
    std::string name = warning.message.substr(start.size(), end - start.size());
    name.resize(std::min(name.find(' '), name.size()));
    if (!told.insert(name).second) return true;
    auto place = netlist_.places.find(name);
    if (place != netlist_.places.end()) warning.at = place->second;
    warning.message = "'" + name + "' has no driver: it may have any value at every step";
    return false;
  });
}

Status Reader::run_flow(const std::string& commands) {
  Result<Messages> messages = yosys_.run(commands);
  if (!messages) return messages.error();
  if (!messages->error) return Ok{};
  Error wrong = *messages->error;
  wrong.message = "unsupported: " + wrong.message;
  return wrong;
}

Status Reader::move_words() {
  if (Status done = run_flow(memory_script()); !done) return done;
  Result<std::string> rtlil = yosys_.get("memory.il");
  if (!rtlil) return rtlil.error();
  return yosys_.put("moved.il", with_moved_words(*rtlil));
}

/// BTOR2 of the design, its statements called by their number.
Result<std::string> Reader::lower() {
  Result<std::string> flat = yosys_.get("flat.il");
  if (!flat) return flat.error();
  Formals formals = take_formals(*flat);
  formals_ = std::move(formals.list);
  find_statements();
  if (Status done = yosys_.put("named.il", formals.rtlil); !done) return done.error();
  for (const FlowFile& file : flow_files())
    if (Status done = yosys_.put(std::string(file.name), file.text); !done) return done.error();
  bool several = !netlist_.clocking.why.empty();
  if (several)
    warnings_.push_back({{path_},
                         netlist_.clocking.why +
                             ": a step is a tick of a global clock, in which clocks may change"});
  const auto& memories = netlist_.source.memories;
  bool moves = std::any_of(memories.begin(), memories.end(),
                           [](const auto& each) { return each.second.first != 0; });
  if (moves)
    if (Status done = move_words(); !done) return done.error();
  if (Status done = run_flow(flow_script(several, moves)); !done) return done.error();
  Result<std::string> model = yosys_.get("model.btor2");
  if (!model) return model.error();
  return with_empty_words(*model);
}

/// `file:line label`; the column where that is needed to tell two apart, a number where even that
/// does not (copies that a generate loop makes).
std::vector<std::string> Reader::property_names() const {
  auto named = [&](const Formal& formal, bool column) {
    std::string out = std::filesystem::path(formal.at.file).filename().string();
    if (formal.at.line != 0) out += ':' + std::to_string(formal.at.line);
    if (column && formal.at.column != 0) out += ':' + std::to_string(formal.at.column);
    return formal.label.empty() ? out : out + ' ' + formal.label;
  };
  std::map<std::string, std::set<std::uint32_t>> columns;
  for (const Formal& formal : formals_) columns[named(formal, false)].insert(formal.at.column);
  std::set<std::string> taken;
  std::vector<std::string> out;
  for (const Formal& formal : formals_) {
    std::string name = named(formal, columns[named(formal, false)].size() > 1);
    std::string unique = name;
    for (int n = 2; !taken.insert(unique).second; ++n)
      unique = name + " (" + std::to_string(n) + ")";
    out.push_back(std::move(unique));
  }
  return out;
}

/// From `lemmata$3` to what the user knows, in the order of the text. A statement that Yosys lost
/// on the way is an error.
Status Reader::name_properties(Problem& problem, std::vector<Term>& premises) {
  std::map<std::string, std::size_t> found;
  for (std::size_t i = 0; i < problem.properties.size(); ++i) found[problem.properties[i].name] = i;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < formals_.size(); ++i) {
    FormalKind kind = formals_[i].kind;
    if (kind != FormalKind::Assert && kind != FormalKind::Cover) continue;
    if (!found.contains(formal_name(i)))
      return Error{formals_[i].at, "yosys lost the statement", ErrorKind::Internal};
    order.push_back(i);
  }
  std::vector<std::string> names = property_names();
  auto key = [&](std::size_t i) {
    const SourcePos& at = formals_[i].at;
    auto file = std::find(yosys_.files().begin(), yosys_.files().end(), at.file);
    return std::tuple(file, at.file, at.line, at.column, formals_[i].label, i);
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<Property> properties;
  std::vector<Term> sorted;
  for (std::size_t i : order) {
    std::size_t old = found.at(formal_name(i));
    Property one = problem.properties[old];
    one.name = names[i];
    one.symbol = formals_[i].labelled ? formals_[i].label : "";
    one.goal = formals_[i].kind == FormalKind::Cover ? Goal::Reach : Goal::Avoid;
    one.at = formals_[i].at;
    properties.push_back(std::move(one));
    sorted.push_back(old < premises.size() ? premises[old] : Term());
  }
  problem.properties = std::move(properties);
  premises = std::move(sorted);
  return Ok{};
}

Result<Problem> Reader::finish(const std::string& btor2) {
  Remarks made;
  Result<Problem> problem = btor2::read_btor2(path_, btor2, &made);
  if (!problem) return error("yosys wrote: " + problem.error().message, ErrorKind::Internal);
  if (Status done = name_properties(*problem, made.premises); !done) return done.error();
  std::vector<std::string> names = property_names();
  for (std::size_t i = 0; i < formals_.size(); ++i)
    if (formals_[i].kind == FormalKind::Live)
      made.unchecked.push_back({names[i], formals_[i].at, "liveness is not supported"});
    else if (formals_[i].kind == FormalKind::Fair)
      warnings_.push_back(
          {formals_[i].at, "fairness is not assumed: it matters to liveness alone"});
  if (problem->properties.empty() && !made.unchecked.empty())
    return Error{made.unchecked[0].at, "unsupported: liveness (s_eventually)", ErrorKind::BadInput};
  VerilogSource source = std::move(netlist_.source);
  for (const auto& [name, symbol] : read_.design.scopes[0].names) source.modules.push_back(name);
  source.files = yosys_.files();
  source.include_folders = sources_.include_folders;
  source.defines = sources_.defines;
  source.parameters = options_.parameters;
  source.clock = netlist_.clocking.single;
  problem->source.format = "verilog";
  made.verilog = std::make_shared<const VerilogSource>(std::move(source));
  made.warnings = std::move(warnings_);
  if (remarks_ != nullptr) *remarks_ = std::move(made);
  return problem;
}

/// Places and labels as the user wrote them.
void Reader::find_statements() {
  for (Formal& formal : formals_) {
    std::optional<std::size_t> number = statement_of(formal.at.file);
    if (!number || *number >= read_.statements.size()) continue;
    const Statement& statement = read_.statements[*number];
    formal.at = statement.at;
    if (statement.label.empty()) continue;
    formal.label += (formal.label.empty() ? "" : ".") + statement.label;
    formal.labelled = true;
  }
}

Status Reader::understand() {
  if (Status done = parse(); !done) return done;
  if (Status done = find_top(); !done) return done;
  return elaborate();
}

Result<Problem> Reader::run() {
  if (Status done = understand(); !done) return done.error();
  Result<std::string> btor2 = lower();
  if (!btor2) return btor2.error();
  return finish(*btor2);
}

}  // namespace

Result<Problem> read_verilog(const std::string& path, const frontend::SourceOptions& source,
                             const VerilogOptions& options, Remarks* remarks,
                             const std::stop_token& stop) {
  Result<Yosys> yosys = Yosys::start(path, source, stop);
  if (!yosys) return yosys.error();
  return Reader(path, source, options, remarks, *std::move(yosys)).run();
}

}  // namespace lem::verilog
