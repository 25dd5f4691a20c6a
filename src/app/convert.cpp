#include "app/convert.h"

#include <filesystem>

#include "frontend/frontend.h"
#include "writer/aiger.h"
#include "writer/file.h"

namespace lem {

Status convert_file(const std::string& in, const std::string& out) {
  std::string extension = std::filesystem::path(out).extension().string();
  if (extension != ".aag" && extension != ".aig")
    return Error{{out},
                 "cannot convert to '" + extension + "': models are written as .aag or .aig",
                 ErrorKind::Usage};
  Result<Problem> problem = read_problem(in);
  if (!problem) return problem.error();
  return write_file_atomically(out, write_aiger(*problem, aiger_encoding_for(out)));
}

}  // namespace lem
