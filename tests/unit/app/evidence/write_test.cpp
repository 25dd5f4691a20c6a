#include "app/evidence/write.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "support/small_models.h"

namespace lem::app {
namespace {

TEST(Evidence, LabelGoesBeforeTheExtension) {
  EXPECT_EQ(labelled("dir.x/out.aag", "b1"), "dir.x/out.b1.aag");
  EXPECT_EQ(labelled("out", "b1"), "out.b1");
  EXPECT_EQ(labelled("out.cert.aig", ""), "out.cert.aig");
}

TEST(Evidence, LabelsAreFileNamesAndDistinct) {
  Problem problem = quiet_latch();
  problem.properties = {{"a/b c", {}}, {"a_b_c", {}}, {"", {}}, {"fine-1", {}}};
  EXPECT_EQ(evidence_labels(problem, std::array<std::size_t, 4>{0, 1, 2, 3}),
            (std::vector<std::string>{"a_b_c", "a_b_c_1", "_2", "fine-1"}));
  EXPECT_EQ(evidence_labels(problem, std::array<std::size_t, 1>{2}), std::vector<std::string>{""});
}

TEST(Evidence, NumberedLabelsDoNotMeetOthers) {
  Problem problem = quiet_latch();
  problem.properties = {{"x_2", {}}, {"x", {}}, {"x", {}}, {std::string(300, 'y'), {}}};
  EXPECT_EQ(evidence_labels(problem, std::array<std::size_t, 4>{0, 1, 2, 3}),
            (std::vector<std::string>{"x_2", "x", "x_2_2", std::string(100, 'y')}));
}

TEST(Evidence, FilesOfPropertiesDoNotOverwriteOthers) {
  CheckRequest request;
  request.outputs.witness = testing::TempDir() + "lem_out.aag";
  request.outputs.json = testing::TempDir() + "lem_out.b1.aag";
  std::array<std::string, 2> labels = {"b0", "b1"};
  Status apart = check_evidence_files(request, labels);
  ASSERT_FALSE(apart.ok());
  EXPECT_EQ(apart.error().kind, ErrorKind::Usage);
  request.outputs.json.clear();
  EXPECT_TRUE(check_evidence_files(request, labels).ok());
  request.file = labelled(request.outputs.witness, "b0");
  std::ofstream(request.file) << "aag 0 0 0 0 0\n";
  EXPECT_FALSE(check_evidence_files(request, labels).ok());
  std::filesystem::remove(request.file);
}

TEST(Evidence, RejectedInputIsKept) {
  std::filesystem::path input = testing::TempDir() + "kept_input.aag";
  std::ofstream(input) << "aag 0 0 0 1 0\n1\n";
  std::string kept = keep_input(input.string());
  ASSERT_FALSE(kept.empty());
  std::ifstream copy(kept);
  std::string first;
  std::getline(copy, first);
  EXPECT_EQ(first, "aag 0 0 0 1 0");
  std::filesystem::remove(kept);
  std::filesystem::remove(input);
}

TEST(Evidence, UnreadableInputIsNotKept) {
  EXPECT_EQ(keep_input("/nonexistent/x.aag"), "");
}

}  // namespace
}  // namespace lem::app
