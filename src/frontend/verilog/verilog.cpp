#include "frontend/verilog/verilog.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <tuple>

#include "frontend/btor2/btor2.h"
#include "frontend/verilog/labels.h"
#include "frontend/verilog/netlist.h"
#include "frontend/verilog/preprocessed.h"
#include "frontend/verilog/properties.h"
#include "frontend/verilog/yosys.h"

namespace lem::verilog {

namespace {

// A cover statement as an assertion of the opposite; names and places stay.
constexpr const char* kCoverMap = R"(module \$cover (A, EN);
  input A, EN;
  \$assert _TECHMAP_REPLACE_ (.A(!A), .EN(EN));
endmodule
)";

// Public wires are kept for the trace, and statements so that equal ones stay apart. Reads and
// writes of a memory out of its range are as in simulation (-memx, memory_memx).
constexpr const char* kSimplify = R"(read_rtlil @named.il@
setattr -set keep 1 w:* w:$* %d
setattr -set keep 1 t:$assert t:$assume t:$cover
opt_expr -keepdc
opt_clean
opt -noff -keepdc
wreduce -keepdc -memx
memory_memx
memory_collect
opt -noff -keepdc -fast
memory_nordff
)";
// One clock: a step is one of its edges, and a clocked statement is about the step before it.
constexpr const char* kOneClock = "async2sync\nchformal -early\n";
// Several: a step is a tick of a global clock, in which any of them may change.
constexpr const char* kManyClocks = "clk2fflogic\n";
// Registers without initial value start with any, undefined values are any at every step.
constexpr const char* kExport = R"(opt_clean
formalff -setundef -clk2ff -ff2anyinit
chformal -live -fair -remove
techmap -map @cover.v@
setattr -set keep 1 t:$assert t:$assume
opt_clean
setundef -undriven -anyseq
opt -fast
rename -witness
opt_clean
delete -output
dffunmap
write_btor @model.btor2@
)";

constexpr const char* kNothingRewritten = "no concurrent assertion can be rewritten";

/// Yosys lets a statement without a label start where the one before it ends; the line that a
/// user knows is that of its first word.
void move_to_statements(std::vector<Formal>& formals) {
  std::map<std::string, std::string> texts;
  for (Formal& formal : formals) {
    SourcePos& at = formal.at;
    auto [found, fresh] = texts.try_emplace(at.file);
    std::string& text = found->second;
    if (fresh) {
      std::ifstream in(at.file, std::ios::binary);
      text.assign(std::istreambuf_iterator<char>(in), {});
    }
    std::size_t place = 0;
    for (std::uint32_t line = 1; line < at.line && place < text.size(); ++line)
      place = std::min(text.find('\n', place), text.size()) + 1;
    std::size_t start = place + at.column - 1;
    if (at.line == 0 || at.column == 0 || start >= text.size()) continue;
    std::size_t word = skip_blanks(text, start);
    if (word >= text.size()) continue;
    auto lines = std::count(text.begin() + static_cast<std::ptrdiff_t>(start),
                            text.begin() + static_cast<std::ptrdiff_t>(word), '\n');
    if (lines == 0) {
      at.column += static_cast<std::uint32_t>(word - start);
      continue;
    }
    at.line += static_cast<std::uint32_t>(lines);
    at.column = static_cast<std::uint32_t>(word - text.rfind('\n', word));
  }
}

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
  Status take_labels();
  Status rewrite_properties();
  void move_back();
  Status parse();
  Status find_top();
  Status elaborate();
  void explain_undriven();
  Result<std::string> lower();
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
  Labels labels_;  // that Yosys does not see
  MovedStatements moved_;
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
  if (messages->error) return *messages->error;
  keep(*messages);
  return Ok{};
}

/// Files called .v are read as Verilog where they are no SystemVerilog.
Status Reader::parse() {
  auto attempt = [&](Dialect dialect) {
    dialect_ = dialect;
    return script(yosys_.read_command(dialect, View::Formal, " -ppdump") +
                  "write_rtlil @raw.il@\n");
  };
  Status done = attempt(Dialect::AllSystem);
  bool some_plain = std::any_of(yosys_.files().begin(), yosys_.files().end(),
                                [](const std::string& file) { return file.ends_with(".v"); });
  if (!done && some_plain && done.error().message.starts_with("syntax error"))
    if (attempt(Dialect::ByName)) done = Ok{};
  if (!done) return done;
  Result<std::string> log = yosys_.get("log");
  if (!log) return log.error();
  return check_preprocessed(path_, *log);
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
        each.find_first_of(" \t\n;#\\") != each.npos)
      return error("--parameter '" + each + "': expected NAME=VALUE without blanks",
                   ErrorKind::Usage);
    out += "chparam -set " + each.substr(0, equals) + " " + each.substr(equals + 1) + " " + top_ +
           "\n";
  }
  return out;
}

Status Reader::elaborate() {
  if (top_.find_first_of(" \t\n;#") != top_.npos)
    return error("--top '" + top_ + "': no name of a module", ErrorKind::Usage);
  Result<std::string> parameters = parameter_commands();
  if (!parameters) return parameters.error();
  Status done = script(yosys_.read_command(dialect_, View::Formal) + *parameters +
                       "hierarchy -simcheck -top " + top_ +
                       "\nproc\nflatten\ncheck\nwrite_json @flat.json@\nwrite_rtlil @flat.il@\n");
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

/// BTOR2 of the design, its statements called by their number.
Result<std::string> Reader::lower() {
  Result<std::string> flat = yosys_.get("flat.il");
  if (!flat) return flat.error();
  Formals formals = take_formals(*flat);
  formals_ = std::move(formals.list);
  move_back();
  move_to_statements(formals_);
  for (Formal& formal : formals_) {
    auto label = labels_.find({formal.at.file, formal.at.line, formal.at.column});
    if (formal.labelled || label == labels_.end()) continue;
    formal.label += (formal.label.empty() ? "" : ".") + label->second;
    formal.labelled = true;
  }
  if (Status done = yosys_.put("named.il", formals.rtlil); !done) return done.error();
  if (Status done = yosys_.put("cover.v", kCoverMap); !done) return done.error();
  bool several = !netlist_.clocking.why.empty();
  if (several)
    warnings_.push_back({{path_},
                         netlist_.clocking.why +
                             ": a step is a tick of a global clock, in which clocks may change"});
  Result<Messages> messages =
      yosys_.run(std::string(kSimplify) + (several ? kManyClocks : kOneClock) + kExport);
  if (!messages) return messages.error();
  if (messages->error) {
    Error wrong = *messages->error;
    wrong.message = "unsupported: " + wrong.message;
    return wrong;
  }
  return yosys_.get("model.btor2");
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

/// Preprocessed texts without labels take the place of the files.
Status Reader::take_labels() {
  // Deferred, so that nothing is elaborated yet.
  Status done = script(yosys_.read_command(dialect_, View::Formal, " -ppdump -defer"));
  if (!done) return done;
  Result<std::string> log = yosys_.get("log");
  if (!log) return log.error();
  std::vector<std::string> texts;
  for (std::string_view text : dumps_in(*log)) {
    std::size_t file = std::min(texts.size(), yosys_.files().size() - 1);
    texts.push_back(without_labels(yosys_.files()[file], text, labels_));
  }
  if (texts.size() != yosys_.files().size())
    return error("yosys wrote no preprocessed text", ErrorKind::Internal);
  return yosys_.replace_files(texts);
}

/// Concurrent assertions as statements that Yosys reads; an error if there is none, or if Yosys
/// did not come to the last file.
Status Reader::rewrite_properties() {
  Result<std::string> log = yosys_.get("log");
  if (!log) return log.error();
  if (Status fine = check_preprocessed(path_, *log); !fine) return fine;
  std::vector<std::string> texts;
  bool changed = false;
  for (std::string_view text : dumps_in(*log)) {
    if (texts.size() == yosys_.files().size()) break;
    texts.push_back(plain_properties(yosys_.files()[texts.size()], text, moved_));
    changed = changed || texts.back() != text;
  }
  if (!changed || texts.size() != yosys_.files().size()) return error(kNothingRewritten);
  return yosys_.replace_files(texts);
}

/// Statements that were rewritten stand where the user wrote them.
void Reader::move_back() {
  for (Formal& formal : formals_) {
    auto line = moved_.find({formal.at.file, formal.at.line});
    if (line == moved_.end()) continue;
    const MovedStatement* found = &line->second.front();
    for (const MovedStatement& one : line->second)
      if (one.now <= formal.at.column + 1) found = &one;
    formal.at.column = found->before;
  }
}

Status Reader::understand() {
  if (Status done = parse(); !done) return done;
  if (Status done = find_top(); !done) return done;
  return elaborate();
}

Result<Problem> Reader::run() {
  Status done = understand();
  if (!done && done.error().message.starts_with("syntax error")) {
    Status again = rewrite_properties();
    if (again) {
      warnings_.clear();
      again = understand();
    } else if (again.error().message == kNothingRewritten) {
      again = done;
    }
    done = again;  // what is wrong after all that could be rewritten
  }
  bool clash = !done && done.error().message.find("cell with the same name") != std::string::npos;
  if (clash && take_labels()) {
    warnings_.clear();
    done = understand();
  }
  if (!done) return done.error();
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
