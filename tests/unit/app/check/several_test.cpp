#include "app/check/several.h"

#include <gtest/gtest.h>

namespace lem::app {

static CheckRequest request_for(std::vector<std::string> files) {
  CheckRequest request;
  request.file = files.front();
  request.input.source.more_files.assign(files.begin() + 1, files.end());
  return request;
}

TEST(SeveralModels, AreFilesOfFormatsWithoutParts) {
  EXPECT_FALSE(*is_several_models(request_for({"a.aag"})));
  EXPECT_TRUE(*is_several_models(request_for({"a.aag", "b.aag"})));
  EXPECT_TRUE(*is_several_models(request_for({"a.aag", "b.lus", "c.v"})));
  EXPECT_TRUE(*is_several_models(request_for({"a.aag", "unknown"})));
}

TEST(SeveralModels, DesignsOfSeveralFilesAreOne) {
  EXPECT_FALSE(*is_several_models(request_for({"a.v", "b.sv"})));
  CheckRequest each = request_for({"a.v", "b.sv"});
  each.each = true;
  EXPECT_TRUE(*is_several_models(each));
  Result<bool> open = is_several_models(request_for({"a.v", "b.sv", "c.aag"}));
  ASSERT_FALSE(open.ok());
  EXPECT_EQ(open.error().kind, ErrorKind::Usage);
}

TEST(SeveralModels, TheWorstExitCodeCounts) {
  using enum ExitCode;
  EXPECT_EQ(worst({}), Safe);
  for (std::vector<ExitCode> codes : {std::vector{Safe, Unknown, Safe},
                                      {Unknown, Unsafe, Safe},
                                      {Unsafe, Usage, Unknown},
                                      {Usage, BadInput, Unsafe},
                                      {BadInput, NotFound, Usage},
                                      {NotFound, Internal, BadInput}})
    EXPECT_EQ(worst(codes), codes[1]);
}

}  // namespace lem::app
