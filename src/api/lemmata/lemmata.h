// Lemmata from C++: read a model, check its properties, take the evidence, stop.
//
//   lemmata::Model model = lemmata::Model::read("pump.st");
//   for (const lemmata::Result& result : lemmata::check(model).results) ...
//
// A check runs in a process of its own, the installed program `lemmata`: a limit of memory, a crash
// or a stop is never the caller's, any number of checks may run in any number of threads, and no
// solver is linked into the caller. The process ends with the call, and with the caller.
//
// Every verdict has been certified on the model before it is handed over. What cannot be done is
// an Error, thrown. docs/api.md tells more; examples/api has a program.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#define LEMMATA_API __attribute__((visibility("default")))

namespace lemmata {

/// Of the library; the program that it runs has the same.
LEMMATA_API std::string_view version();

/// Somewhere in an input file. Line or column 0: not known.
struct Place {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

/// What could not be done, and where in the input. what() is as the program prints it.
class LEMMATA_API Error : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t {
    Usage,     // an option or a combination that there is not; nothing to check
    BadInput,  // the model is wrong, or outside of what is supported
    NotFound,  // there is no such file, or it cannot be read
    Internal,  // Lemmata failed, or could not be started
  };
  Error(Kind kind, Place place, const std::string& text)
      : std::runtime_error(text), kind_(kind), place_(std::move(place)) {}
  Kind kind() const { return kind_; }
  const Place& place() const { return place_; }

 private:
  Kind kind_;
  Place place_;
};

struct Property {
  std::string name;
  std::string kind;   // "assertion", "bad", "query", "unreach-call", "cover", ...
  std::string claim;  // in the words of the source, where it has them
  Place place;
};

/// A file that was read without an error, and how to read it. Copies share what they have.
class LEMMATA_API Model {
 public:
  /// `options` are words of the command line that say how the model is to be read, as
  /// `lemmata properties` takes them: {"--data-model", "LP64", "-DN=4"}.
  static Model read(const std::filesystem::path& file, std::vector<std::string> options = {});
  /// A model that is no file. The extension says its format: ".smt2".
  static Model from_text(std::string_view text, const std::string& extension,
                         std::vector<std::string> options = {});

  const std::filesystem::path& file() const { return file_; }
  const std::string& format() const { return format_; }
  const std::vector<std::string>& options() const { return options_; }
  /// In input order, which is also that of the results of a check.
  const std::vector<Property>& properties() const { return properties_; }

 private:
  Model() = default;
  void list_properties();

  std::filesystem::path file_;
  std::string format_;
  std::vector<std::string> options_;
  std::vector<Property> properties_;
  std::shared_ptr<const void> kept_;  // the file of a text
};

enum class Verdict : std::uint8_t { Safe, Unsafe, Unknown };

/// A step of a run or a part of an invariant, in the variables of the source.
struct Remark {
  Place place;
  std::string text;
};

/// What `lemmata validate` and other tools take (docs/formats.md).
struct Evidence {
  enum class Kind : std::uint8_t { Witness, Certificate };
  Kind kind = Kind::Certificate;
  std::string extension;  // of its format: ".smt2", ".yml", ".aag"
  std::string text;
};

struct Result {
  std::string property;
  Verdict verdict = Verdict::Unknown;
  std::string reason;               // why it is unknown
  std::vector<std::string> advice;  // what to try then
  std::string engine;
  double seconds = 0;
  std::string vacuous;                 // why the proof says nothing; usually empty
  Place place;                         // of the property
  std::vector<Remark> steps;           // of the run
  std::vector<Remark> invariant;       // of the proof; 200 parts at most
  std::optional<Evidence> evidence{};  // of Safe and Unsafe, if CheckOptions asks for it
};

struct CheckOptions {
  std::string engine = "auto";            // NAME[:PRESET]
  std::vector<std::string> properties{};  // names and patterns; empty: all
  std::chrono::duration<double> timeout = std::chrono::duration<double>::zero();  // zero: none
  std::uint64_t memory_mb = 0;                                                    // 0: no limit
  std::vector<std::string> settings{};  // "engine.option=value"
  bool evidence = true;                 // Result::evidence is wanted
  /// Called in the thread of the check for each verdict when it is known, in any order. It must not
  /// throw.
  std::function<void(Verdict, std::string_view property)> on_verdict{};
};

struct Report {
  std::vector<Result> results;   // in input order
  std::vector<Remark> warnings;  // about the model
  std::string json;              // the whole document of `lemmata check --json` (docs/formats.md)
};

/// Returns when all is known or nothing more is to be: after a stop or at the end of the time what
/// has no verdict is Unknown, with the reason.
LEMMATA_API Report check(const Model& model, const CheckOptions& options = {},
                         const std::stop_token& stop = {});

/// Checks evidence about a property again, without any engine. Returns why it is not accepted;
/// empty: it is.
LEMMATA_API std::string validate(const Model& model, std::string_view property,
                                 const Evidence& evidence, const std::stop_token& stop = {});

}  // namespace lemmata
