// The interface for C++ programs, with the program of this build.
#include <gtest/gtest.h>
#include <lemmata/lemmata.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>

namespace {

using lemmata::Error;
using lemmata::Evidence;
using lemmata::Model;
using lemmata::Report;
using lemmata::Result;
using lemmata::Verdict;

// Counts up by one or, if `jump`, by two.
constexpr const char* kCounter = R"((set-logic ALL)
(declare-fun n () Int)
(declare-fun n! () Int)
(declare-fun jump () Bool)
(define-fun .n () Int (! n :next n!))
(define-fun .init () Bool (! (= n 0) :init true))
(define-fun .trans () Bool (! (= n! (ite jump (+ n 2) (+ n 1))) :trans true))
(define-fun .p0 () Bool (! (>= n 0) :invar-property 0))
(define-fun .p1 () Bool (! (not (= n 5)) :invar-property 1))
(define-fun .p2 () Bool (! (> n (- 3)) :invar-property 2))
)";

// No engine decides it soon: factors of a product of two primes.
constexpr const char* kHard = R"((set-logic ALL)
(declare-fun a () (_ BitVec 64))
(declare-fun b () (_ BitVec 64))
(declare-fun a! () (_ BitVec 64))
(declare-fun b! () (_ BitVec 64))
(define-fun .a () (_ BitVec 64) (! a :next a!))
(define-fun .b () (_ BitVec 64) (! b :next b!))
(define-fun .init () Bool (! (and (bvugt a #x0000000000000001) (bvugt b #x0000000000000001)
  (bvult a #x00000000ffffffff) (bvult b #x00000000ffffffff)) :init true))
(define-fun .trans () Bool (! (and (= a! a) (= b! b)) :trans true))
(define-fun .p () Bool (! (not (= (bvmul a b) #x3fffffd800000487)) :invar-property 0))
)";

/// With a folder for temporary files of its own.
class Api : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(mkdtemp(temporary_.data()), nullptr);
    setenv("TMPDIR", temporary_.c_str(), 1);
    setenv("LEMMATA_PROGRAM", LEM_PROGRAM, 1);
  }
  void TearDown() override { std::filesystem::remove_all(temporary_); }

  std::size_t folders_left() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(temporary_))
      count += entry.path().filename().string().starts_with("lemmata-api-") ? 1 : 0;
    return count;
  }

  std::string temporary_ = "/tmp/lemmata-api-test-XXXXXX";
};

Error error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return {Error::Kind::Internal, {}, ""};
}

TEST_F(Api, ReadsAModelAndItsProperties) {
  Model model = Model::from_text(kCounter, ".vmt");
  EXPECT_EQ(model.format(), "vmt");
  ASSERT_EQ(model.properties().size(), 3U);
  EXPECT_EQ(model.properties()[1].name, "p1");
  EXPECT_EQ(model.properties()[1].place.line, 9U);
  EXPECT_EQ(model.properties()[1].place.file, model.file());
}

TEST_F(Api, ChecksAndHandsOverEvidenceThatIsAccepted) {
  Model model = Model::from_text(kCounter, ".vmt");
  std::map<std::string, Verdict> told;
  lemmata::CheckOptions options;
  options.on_verdict = [&](Verdict verdict, std::string_view name) {
    told[std::string(name)] = verdict;
  };
  Report report = lemmata::check(model, options);
  ASSERT_EQ(report.results.size(), 3U);
  EXPECT_EQ(report.results[0].verdict, Verdict::Safe);
  EXPECT_FALSE(report.results[0].invariant.empty());
  const Result& unsafe = report.results[1];
  EXPECT_EQ(unsafe.property, "p1");
  EXPECT_EQ(unsafe.verdict, Verdict::Unsafe);
  EXPECT_EQ(unsafe.place.line, 9U);
  EXPECT_GE(unsafe.steps.size(), 4U);
  EXPECT_NE(unsafe.steps.back().text.find("n = 5"), std::string::npos) << unsafe.steps.back().text;
  for (const Result& result : report.results) {
    ASSERT_TRUE(result.evidence) << result.property;
    EXPECT_EQ(result.evidence->kind, result.verdict == Verdict::Safe ? Evidence::Kind::Certificate
                                                                     : Evidence::Kind::Witness);
    EXPECT_EQ(lemmata::validate(model, result.property, *result.evidence), "");
    EXPECT_EQ(told.at(result.property), result.verdict);
  }
  EXPECT_NE(report.json.find("\"tool\": \"lemmata\""), std::string::npos);
}

TEST_F(Api, RejectsEvidenceThatShowsSomethingElse) {
  Model model = Model::from_text(kCounter, ".vmt");
  Report report = lemmata::check(model);
  Evidence run = report.results.at(1).evidence.value();
  EXPECT_NE(lemmata::validate(model, "p0", run), "");
  Evidence broken = run;
  broken.text.resize(broken.text.size() / 2);
  EXPECT_NE(lemmata::validate(model, "p1", broken), "");
  broken.text = "nothing";
  EXPECT_NE(lemmata::validate(model, "p1", broken), "");
  EXPECT_EQ(error_of([&] { (void)lemmata::validate(model, "none", run); }).kind(),
            Error::Kind::Usage);
}

TEST_F(Api, ChecksWhatIsAskedFor) {
  Model model = Model::from_text(kCounter, ".vmt");
  lemmata::CheckOptions options;
  options.engine = "kind";
  options.properties = {"p2", "p0"};
  options.evidence = false;
  Report report = lemmata::check(model, options);
  ASSERT_EQ(report.results.size(), 2U);
  EXPECT_EQ(report.results[0].property, "p0");
  EXPECT_EQ(report.results[0].engine, "kind");
  EXPECT_FALSE(report.results[0].evidence);
  options.engine = "none";
  Error error = error_of([&] { (void)lemmata::check(model, options); });
  EXPECT_EQ(error.kind(), Error::Kind::Usage);
  EXPECT_NE(std::string(error.what()).find("none"), std::string::npos);
}

TEST_F(Api, ErrorsHaveTheirPlace) {
  std::string text = kCounter;
  text.insert(text.find("(+ n 2)"), "(");
  Error error = error_of([&] { (void)Model::from_text(text, ".vmt"); });
  EXPECT_EQ(error.kind(), Error::Kind::BadInput);
  EXPECT_GE(error.place().line, 7U);
  EXPECT_GT(error.place().column, 0U);
  EXPECT_NE(std::string(error.what()).find(": error: "), std::string::npos);
  EXPECT_EQ(error_of([] { (void)Model::read("/none/none.vmt"); }).kind(), Error::Kind::NotFound);
  EXPECT_EQ(error_of([] { (void)Model::read("-none.vmt"); }).kind(), Error::Kind::NotFound);
  EXPECT_EQ(error_of([] { (void)Model::from_text("", ".none"); }).kind(), Error::Kind::Usage);
  EXPECT_EQ(error_of([] { (void)Model::from_text(kCounter, ".vmt", {"--none"}); }).kind(),
            Error::Kind::Usage);
  EXPECT_EQ(folders_left(), 0U);
}

TEST_F(Api, ProgramThatIsNotThereIsAnError) {
  setenv("LEMMATA_PROGRAM", "/none/lemmata", 1);
  Error error = error_of([] { (void)Model::from_text(kCounter, ".vmt"); });
  EXPECT_EQ(error.kind(), Error::Kind::Internal);
  EXPECT_NE(std::string(error.what()).find("/none/lemmata"), std::string::npos);
  setenv("LEMMATA_PROGRAM", "/bin/true", 1);
  EXPECT_EQ(error_of([] { (void)Model::from_text(kCounter, ".vmt"); }).kind(),
            Error::Kind::Internal);
}

TEST_F(Api, StopEndsACheck) {
  Model model = Model::from_text(kHard, ".vmt");
  std::stop_source stop;
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    stop.request_stop();
  });
  auto start = std::chrono::steady_clock::now();
  Report report = lemmata::check(model, {}, stop.get_token());
  auto took = std::chrono::steady_clock::now() - start;
  EXPECT_GE(took, std::chrono::milliseconds(600));
  EXPECT_LT(took, std::chrono::seconds(15));
  ASSERT_EQ(report.results.size(), 1U);
  EXPECT_EQ(report.results[0].verdict, Verdict::Unknown);
  EXPECT_EQ(report.results[0].reason, "interrupted");
  EXPECT_FALSE(report.results[0].evidence);
}

TEST_F(Api, StopThatCameBeforeEndsACheckAtOnce) {
  Model model = Model::from_text(kHard, ".vmt");
  std::stop_source stop;
  stop.request_stop();
  Report report = lemmata::check(model, {}, stop.get_token());
  ASSERT_EQ(report.results.size(), 1U);
  EXPECT_EQ(report.results[0].verdict, Verdict::Unknown);
}

TEST_F(Api, TimeoutIsAReason) {
  lemmata::CheckOptions options;
  options.timeout = std::chrono::milliseconds(500);
  std::string unknown;
  options.on_verdict = [&](Verdict verdict, std::string_view name) {
    if (verdict == Verdict::Unknown) unknown = name;
  };
  Report report = lemmata::check(Model::from_text(kHard, ".vmt"), options);
  ASSERT_EQ(report.results.size(), 1U);
  EXPECT_EQ(report.results[0].reason, "timeout");
  EXPECT_FALSE(report.results[0].advice.empty());
  EXPECT_EQ(unknown, report.results[0].property) << "without its reason";
}

TEST_F(Api, ChecksRunBesideEachOther) {
  Model model = Model::from_text(kCounter, ".vmt");
  std::vector<Report> reports(6);
  {
    std::vector<std::jthread> threads;
    for (Report& report : reports)
      threads.emplace_back([&] { report = lemmata::check(model, {}); });
  }
  for (const Report& report : reports) {
    ASSERT_EQ(report.results.size(), 3U);
    EXPECT_EQ(report.results[1].verdict, Verdict::Unsafe);
  }
  EXPECT_EQ(folders_left(), 1U) << "of the model";
}

TEST_F(Api, CallersWithoutStandardStreamsAndWithBlockedSignalsAreServed) {
  pid_t child = fork();
  if (child == 0) {
    for (int fd : {0, 1, 2}) close(fd);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    signal(SIGPIPE, SIG_IGN);
    int code = 9;
    try {
      code = static_cast<int>(
          lemmata::check(Model::from_text(kCounter, ".vmt")).results.at(1).verdict);
    } catch (...) {
    }
    _exit(code);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), static_cast<int>(Verdict::Unsafe));
}

/// Processes whose command line has this text.
std::size_t processes_with(const std::string& text) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::string line((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    count += line.find(text) != std::string::npos ? 1 : 0;
  }
  return count;
}

TEST_F(Api, CheckEndsWithItsCaller) {
  std::filesystem::path file = std::filesystem::path(temporary_) / "hard.vmt";
  std::ofstream(file) << kHard;
  pid_t child = fork();
  if (child == 0) {
    try {
      (void)lemmata::check(Model::read(file));
    } catch (...) {
    }
    _exit(0);
  }
  auto wait_for = [&](bool some) {
    for (int i = 0; i < 200 && (processes_with(file.string()) > 0) != some; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return (processes_with(file.string()) > 0) == some;
  };
  EXPECT_TRUE(wait_for(true));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(wait_for(false));
}

}  // namespace
