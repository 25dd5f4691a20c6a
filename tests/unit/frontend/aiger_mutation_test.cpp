// Any bytes give a model or an error, never a crash: small models with flipped, inserted, removed
// and cut off bytes.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "frontend/aiger/aiger.h"

namespace lem::frontend {
namespace {

std::vector<std::string> small_models() {
  return {
      "aag 7 2 3 1 2 2 1\n2\n4\n6 12\n8 3 1\n10 14 10\n13\n12\n15\n5\n12 6 2\n14 13 9\n"
      "i0 request\nl1 busy\nb1 overrun\nc0 idle\nc\ncomment\n",
      "aag 99 2 0 1 3\n2\n40\n20\n20 18 16\n18 16 3\n16 2 41\n",
      std::string("aig 6 1 2 1 3 1 1\n8\n11 1\n4\n12\n5\n\x02\x02\x01\x05\x02\x03l0 x\nc\nhi\n"),
      std::string("aig 3 1 1 1 1\n6\n4\n\x01\x03", 20),
  };
}

std::string mutated(std::string bytes, std::mt19937& rng) {
  auto below = [&](std::size_t bound) { return static_cast<std::size_t>(rng()) % bound; };
  for (std::size_t changes = 1 + below(3); changes-- > 0 && !bytes.empty();) {
    std::size_t at = below(bytes.size());
    switch (below(5)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(below(256));
        break;
      case 2:
        bytes[at] = "0123456789 \nca"[below(14)];
        break;
      case 3:
        bytes.erase(at, 1 + below(4));
        break;
      default:
        bytes.insert(at, 1, "0123456789 \n"[below(12)]);
        break;
    }
  }
  return bytes;
}

void expect_sound(const Result<Problem>& result) {
  if (!result) {
    EXPECT_FALSE(result.error().message.empty());
    EXPECT_EQ(result.error().kind, ErrorKind::BadInput);
    return;
  }
  const Aig& aig = result->aig();
  EXPECT_FALSE(result->properties.empty());
  EXPECT_EQ(result->source.file_var.size(), aig.num_vars());
  for (const Property& property : result->properties)
    EXPECT_LT(property.bad().var(), aig.num_vars());
  for (const Latch& latch : aig.latches()) EXPECT_LT(latch.next.var(), aig.num_vars());
  for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var) {
    EXPECT_LT(aig.gate_of(var).left.var(), var);
    EXPECT_LT(aig.gate_of(var).right.var(), var);
  }
}

TEST(AigerMutation, TheModelsAreFine) {
  for (const std::string& model : small_models()) {
    auto result = aiger::read_aiger("m", model);
    EXPECT_TRUE(result.ok()) << result.error().text();
  }
}

TEST(AigerMutation, EveryTruncationIsAModelOrAnError) {
  for (const std::string& model : small_models())
    for (std::size_t size = 0; size < model.size(); ++size)
      expect_sound(aiger::read_aiger("m", std::string_view(model).substr(0, size)));
}

TEST(AigerMutation, RandomChangesGiveAModelOrAnError) {
  std::mt19937 rng(2024);
  int models = 0;
  int errors = 0;
  for (int round = 0; round < 5000; ++round) {
    for (const std::string& model : small_models()) {
      auto result = aiger::read_aiger("m", mutated(model, rng));
      expect_sound(result);
      ++(result ? models : errors);
    }
  }
  EXPECT_GT(models, 500);
  EXPECT_GT(errors, 500);
}

}  // namespace
}  // namespace lem::frontend
