#include "writer/bench.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>

#include "writer/vcd.h"
#include "writer/waves.h"

namespace lem::writer {

namespace {

/// Words of SystemVerilog, which a port can have for its name in an escaped form alone; sorted.
constexpr std::array<std::string_view, 248> kKeywords = {"accept_on",
                                                         "alias",
                                                         "always",
                                                         "always_comb",
                                                         "always_ff",
                                                         "always_latch",
                                                         "and",
                                                         "assert",
                                                         "assign",
                                                         "assume",
                                                         "automatic",
                                                         "before",
                                                         "begin",
                                                         "bind",
                                                         "bins",
                                                         "binsof",
                                                         "bit",
                                                         "break",
                                                         "buf",
                                                         "bufif0",
                                                         "bufif1",
                                                         "byte",
                                                         "case",
                                                         "casex",
                                                         "casez",
                                                         "cell",
                                                         "chandle",
                                                         "checker",
                                                         "class",
                                                         "clocking",
                                                         "cmos",
                                                         "config",
                                                         "const",
                                                         "constraint",
                                                         "context",
                                                         "continue",
                                                         "cover",
                                                         "covergroup",
                                                         "coverpoint",
                                                         "cross",
                                                         "deassign",
                                                         "default",
                                                         "defparam",
                                                         "design",
                                                         "disable",
                                                         "dist",
                                                         "do",
                                                         "edge",
                                                         "else",
                                                         "end",
                                                         "endcase",
                                                         "endchecker",
                                                         "endclass",
                                                         "endclocking",
                                                         "endconfig",
                                                         "endfunction",
                                                         "endgenerate",
                                                         "endgroup",
                                                         "endinterface",
                                                         "endmodule",
                                                         "endpackage",
                                                         "endprimitive",
                                                         "endprogram",
                                                         "endproperty",
                                                         "endsequence",
                                                         "endspecify",
                                                         "endtable",
                                                         "endtask",
                                                         "enum",
                                                         "event",
                                                         "eventually",
                                                         "expect",
                                                         "export",
                                                         "extends",
                                                         "extern",
                                                         "final",
                                                         "first_match",
                                                         "for",
                                                         "force",
                                                         "foreach",
                                                         "forever",
                                                         "fork",
                                                         "forkjoin",
                                                         "function",
                                                         "generate",
                                                         "genvar",
                                                         "global",
                                                         "highz0",
                                                         "highz1",
                                                         "if",
                                                         "iff",
                                                         "ifnone",
                                                         "ignore_bins",
                                                         "illegal_bins",
                                                         "implements",
                                                         "implies",
                                                         "import",
                                                         "incdir",
                                                         "include",
                                                         "initial",
                                                         "inout",
                                                         "input",
                                                         "inside",
                                                         "instance",
                                                         "int",
                                                         "integer",
                                                         "interconnect",
                                                         "interface",
                                                         "intersect",
                                                         "join",
                                                         "join_any",
                                                         "join_none",
                                                         "large",
                                                         "let",
                                                         "liblist",
                                                         "library",
                                                         "local",
                                                         "localparam",
                                                         "logic",
                                                         "longint",
                                                         "macromodule",
                                                         "matches",
                                                         "medium",
                                                         "modport",
                                                         "module",
                                                         "nand",
                                                         "negedge",
                                                         "nettype",
                                                         "new",
                                                         "nexttime",
                                                         "nmos",
                                                         "nor",
                                                         "noshowcancelled",
                                                         "not",
                                                         "notif0",
                                                         "notif1",
                                                         "null",
                                                         "or",
                                                         "output",
                                                         "package",
                                                         "packed",
                                                         "parameter",
                                                         "pmos",
                                                         "posedge",
                                                         "primitive",
                                                         "priority",
                                                         "program",
                                                         "property",
                                                         "protected",
                                                         "pull0",
                                                         "pull1",
                                                         "pulldown",
                                                         "pullup",
                                                         "pulsestyle_ondetect",
                                                         "pulsestyle_onevent",
                                                         "pure",
                                                         "rand",
                                                         "randc",
                                                         "randcase",
                                                         "randsequence",
                                                         "rcmos",
                                                         "real",
                                                         "realtime",
                                                         "ref",
                                                         "reg",
                                                         "reject_on",
                                                         "release",
                                                         "repeat",
                                                         "restrict",
                                                         "return",
                                                         "rnmos",
                                                         "rpmos",
                                                         "rtran",
                                                         "rtranif0",
                                                         "rtranif1",
                                                         "s_always",
                                                         "s_eventually",
                                                         "s_nexttime",
                                                         "s_until",
                                                         "s_until_with",
                                                         "scalared",
                                                         "sequence",
                                                         "shortint",
                                                         "shortreal",
                                                         "showcancelled",
                                                         "signed",
                                                         "small",
                                                         "soft",
                                                         "solve",
                                                         "specify",
                                                         "specparam",
                                                         "static",
                                                         "string",
                                                         "strong",
                                                         "strong0",
                                                         "strong1",
                                                         "struct",
                                                         "super",
                                                         "supply0",
                                                         "supply1",
                                                         "sync_accept_on",
                                                         "sync_reject_on",
                                                         "table",
                                                         "tagged",
                                                         "task",
                                                         "this",
                                                         "throughout",
                                                         "time",
                                                         "timeprecision",
                                                         "timeunit",
                                                         "tran",
                                                         "tranif0",
                                                         "tranif1",
                                                         "tri",
                                                         "tri0",
                                                         "tri1",
                                                         "triand",
                                                         "trior",
                                                         "trireg",
                                                         "type",
                                                         "typedef",
                                                         "union",
                                                         "unique",
                                                         "unique0",
                                                         "unsigned",
                                                         "until",
                                                         "until_with",
                                                         "untyped",
                                                         "use",
                                                         "uwire",
                                                         "var",
                                                         "vectored",
                                                         "virtual",
                                                         "void",
                                                         "wait",
                                                         "wait_order",
                                                         "wand",
                                                         "weak",
                                                         "weak0",
                                                         "weak1",
                                                         "while",
                                                         "wildcard",
                                                         "wire",
                                                         "with",
                                                         "within",
                                                         "wor",
                                                         "xnor",
                                                         "xor"};

bool is_keyword(std::string_view word) {
  return std::binary_search(kKeywords.begin(), kKeywords.end(), word);
}

bool is_plain(std::string_view part) {
  std::size_t bracket = part.find('[');
  std::string_view name = part.substr(0, bracket);
  bool letters = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
                 std::all_of(name.begin(), name.end(), [](char c) {
                   return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
                 });
  if (bracket == part.npos) return letters && !is_keyword(part);
  std::string_view index = part.substr(bracket);
  return letters && index.ends_with(']') &&
         index.find_first_not_of("0123456789", 1) == index.size() - 1;
}

/// A hierarchical name inside the instance `dut`, as the bench writes it.
std::string reference(const std::string& dut, const std::string& name) {
  std::string out = dut;
  for (const std::string& part : split_name(name)) {
    bool escaped = part.starts_with('\\');
    out += '.' + (is_plain(part) ? part : (escaped ? "" : "\\") + part + ' ');
  }
  return out;
}

std::string literal(const std::string& bits) {
  return std::to_string(bits.size()) + "'b" + bits;
}

class Bench {
 public:
  Bench(const Problem& problem, const TermTrace& trace, const VerilogSource& design,
        const VerilogBench& names)
      : problem_(problem), trace_(trace), design_(design), names_(names) {
    bench_ = unused("tb");
    dut_ = unused("dut");
    index_ = unused("i");
    for (const Wave& wave : waves_of(problem, trace, &design)) {
      std::string name;
      for (const std::string& scope : wave.scopes) name += scope + '.';
      values_[name + wave.name] = wave.values;
    }
  }

  std::string text(const std::string& property) {
    head(property);
    for (std::size_t k = 0; k < trace_.steps.size(); ++k) k == 0 ? first_step() : later_step(k);
    line("    $display(\"lemmata: step " + std::to_string(trace_.steps.size() - 1) +
         " reached\");");
    if (design_.clock) line("    " + clock_is(true));  // clocked assertions look at its end
    line("    #1 $finish;\n  end\nendmodule");
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += text + '\n'; }

  /// The bench has variables with the names of the ports, and stands beside the modules of the
  /// design: its own names are others.
  std::string unused(const std::string& stem) const {
    auto taken = [&](const std::string& name) {
      return std::any_of(design_.inputs.begin(), design_.inputs.end(),
                         [&](const auto& port) { return port.name == name; }) ||
             std::find(design_.modules.begin(), design_.modules.end(), name) !=
                 design_.modules.end();
    };
    std::string out = stem;
    for (int n = 2; taken(out); ++n) out = stem + '_' + std::to_string(n);
    return out;
  }

  bool is_clock(const std::string& port) const {
    if (design_.clock) return port == design_.clock->name;
    return std::find(design_.clock_ports.begin(), design_.clock_ports.end(), port) !=
           design_.clock_ports.end();
  }
  std::string clock_is(bool after_edge) const {
    return written(design_.clock->name) + (after_edge == design_.clock->rising ? " = 1;" : " = 0;");
  }

  /// Unused inputs may be missing in the model.
  std::string value(const VerilogSource::Port& port, std::size_t step) const {
    auto found = values_.find(port.name);
    return literal(found == values_.end() ? std::string(port.width, '0') : found->second[step]);
  }

  void head(const std::string& property) {
    std::string files;
    for (const std::string& file : design_.files) files += ' ' + file;
    std::string switches = names_.formal ? " -DFORMAL" : "";
    for (const std::string& each : design_.defines) switches += " -D" + each;
    for (const std::string& each : design_.include_folders) switches += " -I" + each;
    std::string last = std::to_string(trace_.steps.size() - 1);
    line("// Written by lemmata: '" + property + "' is decided by step " + last + ", at time " +
         std::to_string((trace_.steps.size() - 1) * kStepTime) + ".\n// iverilog -g2012 -s " +
         bench_ + switches + " -o run THIS_FILE" + files +
         " && ./run +vcd   writes tb.vcd\n`timescale 1ns/1ns\nmodule " + bench_ + ";");
    std::string ports;
    for (const VerilogSource::Port& port : design_.inputs) {
      std::string range =
          port.width > 1 ? " [" + std::to_string(port.width - 1) + ":0]" : std::string();
      std::string start;
      if (is_clock(port.name))
        start = design_.clock ? (design_.clock->rising ? " = 0" : " = 1") : " = " + value(port, 0);
      line("  reg" + range + ' ' + name_of(port) + start + ';');
      ports += (ports.empty() ? "" : ", ") + ('.' + name_of(port)) + '(' + name_of(port) + ')';
    }
    std::string parameters;
    for (const std::string& each : design_.parameters) {
      std::size_t equals = each.find('=');
      parameters += (parameters.empty() ? "." : ", .") + each.substr(0, equals) + '(' +
                    each.substr(equals + 1) + ')';
    }
    line("  " + written(design_.top) + (parameters.empty() ? "" : " #(" + parameters + ")") + " " +
         dut_ + " (" + ports + ");\n  integer " + index_ +
         ";\n  initial begin\n    if ($test$plusargs(\"vcd\")) begin\n"
         "      $dumpfile(\"tb.vcd\");\n      $dumpvars(0, " +
         bench_ + ");\n    end");
  }

  /// A name of the design; brackets are part of it.
  static std::string written(const std::string& name) {
    bool plain = is_plain(name) && name.find('[') == name.npos;
    return plain ? name : (name.starts_with('\\') ? "" : "\\") + name + ' ';
  }
  static std::string name_of(const VerilogSource::Port& port) { return written(port.name); }

  /// Registers are forced for a moment: that works for variables, which keep the value, and for the
  /// nets that show them. Words of arrays can only be assigned.
  void first_step() {
    line("    #1;  // step 0, after the initial blocks of the design");
    for (const VerilogSource::Port& port : design_.inputs)
      if (!is_clock(port.name)) line("    " + name_of(port) + " = " + value(port, 0) + ';');
    std::string releases;
    for (const std::string& name : names_.registers) {
      auto found = values_.find(name);
      if (found == values_.end()) continue;
      std::string target = reference(dut_, name);
      if (target.ends_with(']')) {
        line("    " + target + " = " + literal(found->second[0]) + ';');
        continue;
      }
      line("    force " + target + " = " + literal(found->second[0]) + ';');
      releases += "    release " + target + ";\n";
    }
    for (std::size_t i = 0; i < problem_.system().states().size(); ++i) fill_memory(i);
    line("    #1;");
    out_ += releases;
    line("    #" + std::to_string(kStepTime - 2) + ";");
  }

  void fill_memory(std::size_t state) {
    const TermStore& terms = problem_.system().terms();
    const std::string& name = terms.name(problem_.system().states()[state].current);
    auto memory = names_.memories.find(name);
    Term value = trace_.steps[0].states[state];
    if (memory == names_.memories.end() || terms.kind(value) != SortKind::Array) return;
    std::uint32_t width = terms.width(terms.index_sort(terms.sort(value)));
    mpz_class size = mpz_class(1) << width;
    mpz_class first(std::to_string(memory->second.first));
    mpz_class count(std::to_string(memory->second.size));
    std::vector<Term> stores;
    for (; terms.op(value) == Op::Store; value = terms.arg(value, 0)) stores.push_back(value);
    std::string target = reference(dut_, name);
    mpz_class end = first + count;
    line("    for (" + index_ + " = " + first.get_str() + "; " + index_ + " < " + end.get_str() +
         "; " + index_ + " = " + index_ + " + 1) " + target + "[" + index_ +
         "] = " + literal(bits_of(terms, terms.arg(value, 0))) + ';');
    for (auto store = stores.rbegin(); store != stores.rend(); ++store) {
      mpz_class offset = (terms.integer_value(terms.arg(*store, 1)) - first) % size;
      if (offset < 0) offset += size;
      if (offset >= count) continue;
      mpz_class address = first + offset;
      line("    " + target + '[' + address.get_str() +
           "] = " + literal(bits_of(terms, terms.arg(*store, 2))) + ';');
    }
  }

  /// Clocks first, and at once; the rest after what they trigger has read the old values.
  void later_step(std::size_t k) {
    line("    // step " + std::to_string(k));
    if (design_.clock) line("    " + clock_is(true));
    for (bool clocks : {true, false})
      for (const VerilogSource::Port& port : design_.inputs) {
        if (is_clock(port.name) != clocks || (clocks && design_.clock)) continue;
        if (value(port, k) == value(port, k - 1)) continue;
        line("    " + name_of(port) + (clocks ? " = " : " <= ") + value(port, k) + ';');
      }
    line("    #" + std::to_string(kStepTime / 2) +
         (design_.clock ? ' ' + clock_is(false) : std::string(";")));
    line("    #" + std::to_string(kStepTime - kStepTime / 2) + ";");
  }

  const Problem& problem_;
  const TermTrace& trace_;
  const VerilogSource& design_;
  const VerilogBench& names_;
  std::unordered_map<std::string, std::vector<std::string>> values_;  // by the whole name
  std::string bench_, dut_, index_;                                   // names of the bench itself
  std::string out_;
};

}  // namespace

std::string write_bench(const Problem& original, std::size_t property, const VerilogSource& design,
                        const VerilogBench& names, const check::Certified& certified) {
  const TermTrace& trace = run_as<TermTrace>(certified.verdict());
  return Bench(original, trace, design, names).text(original.properties[property].name);
}

}  // namespace lem::writer
