// tests/fuzz/models/loop_safe.c and loop_unsafe.c as automata, as the front end makes them. Made by
// hand: the front end for C and LLVM are not part of the fuzzing build.
#pragma once

#include <memory>
#include <string>

#include "model/c_marks.h"
#include "model/problem.h"
#include "target.h"

namespace lem::fuzz {

/// `bound`: the number in `if (i > bound) reach_error()`.
inline Problem loop_program(const std::string& file, int bound) {
  CfaBuilder builder(std::make_shared<TermStore>());
  TermStore& t = builder.terms();
  Sort word = t.bv_sort(32);
  Term n = builder.add_variable("main::n", word);
  Term i = builder.add_variable("main::i", word);
  auto number = [&](int value) { return t.bv(value, 32); };
  auto when = [](Term guard) { return Command::assume(guard); };
  LocationId start = builder.add_location("start");
  LocationId exit = builder.add_location("exit");
  LocationId error = builder.add_location("error");
  LocationId in = builder.add_location("4", 4);
  LocationId chosen = builder.add_location("4", 4);
  LocationId head = builder.add_location("6", 6);
  LocationId body = builder.add_location("7", 7);
  LocationId behind = builder.add_location("10", 10);
  LocationId counted = builder.add_location("7", 7);
  LocationId stop = builder.add_location("8", 8);
  LocationId back = builder.add_location("6", 6);
  LocationId call = builder.add_location("10", 10);
  LocationId end = builder.add_location("12", 12);
  builder.set_initial(start);
  builder.set_error(error);
  Term less = t.make(Op::BvSlt, {i, n});
  Term four = t.make_eq(i, number(4));
  Term above = t.make(Op::BvSlt, {number(bound), i});
  builder.add_edge(start, Command::skip(), in, 4);
  EdgeId input = builder.add_edge(in, Command::havoc(n), chosen, 4);
  builder.add_edge(chosen, Command::assign(i, number(0)), head, 5);
  builder.add_edge(head, when(less), body, 6);
  builder.add_edge(head, when(t.make_not(less)), behind, 6);
  builder.add_edge(body, Command::assign(i, t.make(Op::BvAdd, {i, number(1)})), counted, 7);
  builder.add_edge(counted, when(four), stop, 8);
  builder.add_edge(counted, when(t.make_not(four)), back, 8);
  builder.add_edge(stop, Command::skip(), behind, 8);
  builder.add_edge(behind, when(above), call, 10);
  builder.add_edge(behind, when(t.make_not(above)), end, 10);
  builder.add_edge(call, Command::skip(), error, 10);
  builder.add_edge(end, Command::skip(), exit, 11);
  builder.add_edge(back, Command::skip(), head, 6);
  Result<Cfa> cfa = std::move(builder).freeze();
  must(cfa.ok(), "the fixed automaton is none");

  auto source = std::make_shared<CSource>();
  source->variables.push_back({n, "n", "main", 4, 32, CSign::Signed, COrigin::User});
  source->variables.push_back({i, "i", "main", 5, 32, CSign::Signed, COrigin::User});
  source->inputs.push_back({input, n, "__VERIFIER_nondet_int", CSign::Signed, {file, 4, 11}});
  Problem problem{*cfa, {{"unreach-call", ErrorLocation{}}}, {}};
  problem.source.file = file;
  problem.source.format = "c";
  problem.source.c = source;
  return problem;
}

/// Where the edges of both are in the text.
inline CMarks loop_marks() {
  CMarks marks;
  for (CMark at : {CMark{4, 7}, CMark{4, 11}, CMark{5, 7}, CMark{6, 10}, CMark{6, 10}, CMark{7, 7},
                   CMark{8, 11}, CMark{8, 11}, CMark{8, 17}, CMark{10, 9}, CMark{10, 9},
                   CMark{10, 14}, CMark{11, 3}, CMark{6, 3}})
    marks.edges.push_back({at});
  marks.locations.resize(13);
  marks.locations[5] = {6, 10};  // the head of the loop
  marks.variables = {{0, 7}, {0, 7}};
  return marks;
}

inline Problem loop_safe() {
  return loop_program(std::string(LEM_SOURCE_DIR) + "/tests/fuzz/models/loop_safe.c", 4);
}
inline Problem loop_unsafe() {
  return loop_program(std::string(LEM_SOURCE_DIR) + "/tests/fuzz/models/loop_unsafe.c", 3);
}

/// Witnesses name their program and its hash: "p.c" and HASH stand for them in seeds.
inline std::string about(std::string witness, const std::string& hash, const Problem& program) {
  for (std::size_t at; (at = witness.find("HASH")) != std::string::npos;)
    witness.replace(at, 4, hash);
  const std::string& file = program.source.file;
  std::string name = '"' + file.substr(file.rfind('/') + 1) + '"';
  for (std::size_t at; (at = witness.find("\"p.c\"")) != std::string::npos;)
    witness.replace(at, 5, name);
  return witness;
}

}  // namespace lem::fuzz
