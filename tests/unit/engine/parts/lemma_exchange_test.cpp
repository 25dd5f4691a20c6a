#include "engine/parts/bits/lemma_exchange.h"

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"
#include "engine/registry.h"
#include "model/latch_name.h"
#include "unit/engine/engine_support.h"

namespace lem::engine {

using namespace lem::test;
namespace fs = std::filesystem;

namespace {

Cube cube_of(const Problem& problem, std::initializer_list<std::uint32_t> latches) {
  std::vector<Lit> lits;
  for (std::uint32_t latch : latches) lits.emplace_back(problem.aig().first_latch() + latch, false);
  return Cube(std::move(lits));
}

std::string text_of(const std::string& folder) {
  std::string text;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  return text;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

}  // namespace

TEST(LemmaExchange, GivesToOthersAndNotToItself) {
  TemporaryFolder folder;
  Problem problem = token_ring(4);
  LemmaExchange one(folder.path(), problem), two(folder.path(), problem);
  EXPECT_EQ(one.publish({{cube_of(problem, {0, 1}), 3}, {cube_of(problem, {2})}}), 2U);
  EXPECT_TRUE(one.receive().empty());
  std::vector<LemmaClaim> got = two.receive();
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0].cube, cube_of(problem, {0, 1}));
  EXPECT_EQ(got[0].level, 3U);
  EXPECT_EQ(got[1].level, LemmaClaim::kForGood);
  EXPECT_TRUE(two.receive().empty()) << "it was read before";
}

TEST(LemmaExchange, SaysNothingTwiceButThatALemmaHoldsForGood) {
  TemporaryFolder folder;
  Problem problem = token_ring(4);
  LemmaExchange one(folder.path(), problem);
  EXPECT_EQ(one.publish({{cube_of(problem, {0, 1}), 3}}), 1U);
  EXPECT_EQ(one.publish({{cube_of(problem, {0, 1}), 4}}), 0U);
  EXPECT_EQ(one.publish({{cube_of(problem, {0, 1})}}), 1U);
  EXPECT_EQ(one.publish({{cube_of(problem, {0, 1})}}), 0U);
}

TEST(LemmaExchange, WithoutAFolderThereIsNone) {
  Problem problem = token_ring(4);
  LemmaExchange none("", problem);
  EXPECT_FALSE(none.on());
  EXPECT_FALSE(none.due());
  LemmaExchange gone("/nonexistent/folder", problem);
  EXPECT_EQ(gone.publish({{cube_of(problem, {0, 1}), 3}}), 0U);
  EXPECT_TRUE(gone.receive().empty());
}

TEST(LemmaExchange, WaitsForTheEndOfALine) {
  TemporaryFolder folder;
  Problem problem = token_ring(4);
  LemmaExchange writer(folder.path(), problem);
  writer.publish({{cube_of(problem, {0, 1}), 3}});
  std::string line = text_of(folder.path());
  LemmaExchange reader(folder.path(), problem);
  reader.receive();
  std::string path = folder.path() + "/x.lemmas";
  write(path, line.substr(0, line.size() / 2));
  EXPECT_TRUE(reader.receive().empty());
  write(path, line.substr(line.size() / 2));
  EXPECT_EQ(reader.receive().size(), 1U);
}

TEST(LemmaExchange, PassesOverWhatIsNoLemma) {
  TemporaryFolder folder;
  Problem problem = token_ring(4);
  LemmaExchange writer(folder.path(), problem);
  writer.publish({{cube_of(problem, {0}), 3}});
  std::string line = text_of(folder.path());
  std::string latch = line.substr(2, 16);
  write(folder.path() + "/y.lemmas",
        "\n3\n0 " + latch + "\n-1 " + latch + "\nx " + latch + "\n3 12\n3 " + latch + " !" + latch +
            "\n3  " + latch + "\n99999999999 " + latch + "\n3 " + latch + "\r\n" +
            std::string("\0\xff\n", 3) + std::string(3 << 20, 'a') + "\n5 " + latch + "\n");
  LemmaExchange reader(folder.path(), problem);
  std::vector<LemmaClaim> got;
  for (int i = 0; i < 6; ++i)
    for (LemmaClaim& claim : reader.receive()) got.push_back(std::move(claim));
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0].level, 3U);
  EXPECT_EQ(got[1].level, 5U);
}

/// To open a pipe that nobody writes to takes for ever.
TEST(LemmaExchange, ReadsNothingButFiles) {
  TemporaryFolder folder;
  Problem problem = token_ring(4);
  ASSERT_EQ(mkfifo((folder.path() + "/pipe.lemmas").c_str(), 0600), 0);
  fs::create_directory(folder.path() + "/folder.lemmas");
  LemmaExchange one(folder.path(), problem);
  EXPECT_TRUE(one.receive().empty());
}

TEST(LemmaExchange, LatchesAreKnownByTheirNames) {
  TemporaryFolder folder;
  Problem all = token_ring(4), some = token_ring(2);
  all.source.latch_names = {"a", "b", "c", "d"};
  some.source.latch_names = {"c", "b"};
  LemmaExchange writer(folder.path(), all), reader(folder.path(), some);
  writer.publish({{cube_of(all, {0, 1})}, {cube_of(all, {1, 2})}, {cube_of(all, {2})}});
  std::vector<LemmaClaim> got = reader.receive();
  ASSERT_EQ(got.size(), 2U) << "nothing about a";
  EXPECT_EQ(got[0].cube, cube_of(some, {0, 1}));
  EXPECT_EQ(got[1].cube, cube_of(some, {0}));
}

TEST(Ic3Sharing, ASecondRunTakesTheLemmasOfTheFirst) {
  TemporaryFolder folder;
  Problem problem = token_ring(12);
  Bench first(kIc3Info, "ic3.lemmas=" + folder.path());
  ASSERT_TRUE(proves(first, problem));
  EXPECT_GT(first.stats.counter("ic3.shared-sent").value, 0U);
  Bench second(kIc3Info, "ic3.lemmas=" + folder.path());
  ASSERT_TRUE(proves(second, problem));
  EXPECT_GT(second.stats.counter("ic3.shared-taken").value, 0U);
  EXPECT_LT(second.stats.counter("ic3.obligations").value,
            first.stats.counter("ic3.obligations").value);
}

// Whatever is in the folder: cubes at random with any level, and bytes at random.
TEST(Ic3Sharing, FalseLemmasChangeNoVerdict) {
  std::uint64_t refused = 0, taken = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    TemporaryFolder folder;
    RandomAigParams params = varied_params(seed);
    Problem problem = random_problem(seed, params);
    std::uint64_t state = seed * 2654435761U + 12345;
    auto random = [&](std::uint64_t bound) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      return static_cast<std::uint32_t>((state >> 33) % bound);
    };
    std::uint32_t latches = problem.aig().num_latches();
    std::vector<LemmaClaim> lies;
    for (std::uint32_t i = 0; latches > 0 && i < 30; ++i) {
      std::vector<Lit> lits;
      for (std::uint32_t k = 0; k < 1 + i % 3; ++k)
        lits.emplace_back(problem.aig().first_latch() + random(latches), random(2) == 1);
      lies.push_back({Cube(std::move(lits)), i % 2 == 0 ? LemmaClaim::kForGood : 1 + random(5)});
    }
    LemmaExchange(folder.path(), problem).publish(lies);
    std::string text = text_of(folder.path());
    for (std::uint32_t i = 0; !text.empty() && i < 5; ++i)
      text[random(text.size())] = static_cast<char>(random(256));
    write(folder.path() + "/z.lemmas", text);
    Bench run(kIc3Info, "ic3.lemmas=" + folder.path() + (seed % 3 == 0 ? ",ic3.quip=on" : ""));
    Verdict verdict = run.check(problem);
    ASSERT_EQ(std::holds_alternative<Safe>(verdict), explore(problem).safe()) << seed;
    ASSERT_TRUE(is_certified(problem, verdict)) << seed;
    refused += run.stats.counter("ic3.shared-refused").value;
    taken += run.stats.counter("ic3.shared-taken").value;
  }
  EXPECT_GT(refused, 0U);
  EXPECT_GT(taken, 0U) << "some cubes at random are unreachable";
}

}  // namespace lem::engine
