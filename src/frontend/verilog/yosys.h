// Runs Yosys on untrusted text: in the sandbox, as compilers run (base/sandbox.h). It sees the
// folders of the sources and of -I, and writes into one temporary folder.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/temporary_folder.h"
#include "frontend/source_options.h"
#include "frontend/verilog/messages.h"

namespace lem::verilog {

/// Which files are read as SystemVerilog: all, or those that are called so. Words such as `bit`
/// are names in Verilog and keywords in SystemVerilog.
enum class Dialect : std::uint8_t { AllSystem, ByName };
/// Whether FORMAL is defined, as for a proof, or not, as for a simulator.
enum class View : std::uint8_t { Formal, Simulation };

bool is_system(const std::string& file, Dialect dialect);

class Yosys {
 public:
  /// Usage errors: Yosys is not installed; names that its scripts cannot hold.
  static Result<Yosys> start(const std::string& path, const frontend::SourceOptions& source,
                             const std::stop_token& stop);

  /// Runs a script; `@NAME@` in it is a file of the temporary folder. Messages without an error if
  /// Yosys ended well.
  Result<Messages> run(std::string_view script);
  /// The commands that read the texts of `put_files`.
  std::string read_command(Dialect dialect) const;
  /// The texts of the files, after the preprocessor.
  Status put_files(const std::vector<std::string>& texts) const;

  Status put(const std::string& name, std::string_view bytes) const;
  Result<std::string> get(const std::string& name) const;
  const std::vector<std::string>& files() const { return files_; }
  const std::vector<std::string>& include_folders() const { return include_folders_; }
  const std::vector<std::string>& defines() const { return defines_; }
  const std::vector<std::string>& readable() const { return readable_; }

 private:
  Yosys() = default;
  /// The script with paths in the places of `@NAME@`.
  std::string filled(std::string_view script) const;

  std::shared_ptr<TemporaryFolder> folder_;  // shared: a Yosys can be moved, a folder cannot
  std::vector<std::string> files_;           // as Yosys gets them
  std::vector<std::string> readable_;
  std::vector<std::string> include_folders_, defines_;
  std::stop_token stop_;
};

}  // namespace lem::verilog
