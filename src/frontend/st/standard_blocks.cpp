#include "frontend/st/standard_blocks.h"

#include <array>
#include <utility>

namespace lem::st {

namespace {

constexpr std::string_view kRTrig = R"(
FUNCTION_BLOCK R_TRIG
VAR_INPUT CLK : BOOL; END_VAR
VAR_OUTPUT Q : BOOL; END_VAR
VAR M : BOOL; END_VAR
Q := CLK AND NOT M;
M := CLK;
END_FUNCTION_BLOCK)";

constexpr std::string_view kFTrig = R"(
FUNCTION_BLOCK F_TRIG
VAR_INPUT CLK : BOOL; END_VAR
VAR_OUTPUT Q : BOOL; END_VAR
VAR M : BOOL; END_VAR
Q := NOT CLK AND NOT M;
M := NOT CLK;
END_FUNCTION_BLOCK)";

constexpr std::string_view kSr = R"(
FUNCTION_BLOCK SR
VAR_INPUT S1 : BOOL; R : BOOL; END_VAR
VAR_OUTPUT Q1 : BOOL; END_VAR
Q1 := S1 OR (NOT R AND Q1);
END_FUNCTION_BLOCK)";

constexpr std::string_view kRs = R"(
FUNCTION_BLOCK RS
VAR_INPUT S : BOOL; R1 : BOOL; END_VAR
VAR_OUTPUT Q1 : BOOL; END_VAR
Q1 := NOT R1 AND (S OR Q1);
END_FUNCTION_BLOCK)";

/// Counters stop at PV and at 0, as those of matiec; the standard lets them go on to limits of the
/// controller's own.
constexpr std::string_view kCtu = R"(
FUNCTION_BLOCK CTU
VAR_INPUT CU : BOOL; R : BOOL; PV : INT; RESET : BOOL; END_VAR
VAR_OUTPUT Q : BOOL; CV : INT; END_VAR
VAR M : BOOL; END_VAR
IF R OR RESET THEN CV := 0;
ELSIF CU AND NOT M AND CV < PV THEN CV := CV + 1;
END_IF;
M := CU;
Q := CV >= PV;
END_FUNCTION_BLOCK)";

constexpr std::string_view kCtd = R"(
FUNCTION_BLOCK CTD
VAR_INPUT CD : BOOL; LD : BOOL; PV : INT; LOAD : BOOL; END_VAR
VAR_OUTPUT Q : BOOL; CV : INT; END_VAR
VAR M : BOOL; END_VAR
IF LD OR LOAD THEN CV := PV;
ELSIF CD AND NOT M AND CV > 0 THEN CV := CV - 1;
END_IF;
M := CD;
Q := CV <= 0;
END_FUNCTION_BLOCK)";

constexpr std::string_view kCtud = R"(
FUNCTION_BLOCK CTUD
VAR_INPUT CU : BOOL; CD : BOOL; R : BOOL; LD : BOOL; PV : INT; RESET : BOOL; LOAD : BOOL; END_VAR
VAR_OUTPUT QU : BOOL; QD : BOOL; CV : INT; END_VAR
VAR MU : BOOL; MD : BOOL; END_VAR
IF R OR RESET THEN CV := 0;
ELSIF LD OR LOAD THEN CV := PV;
ELSIF NOT ((CU AND NOT MU) AND (CD AND NOT MD)) THEN
  IF CU AND NOT MU AND CV < PV THEN CV := CV + 1;
  ELSIF CD AND NOT MD AND CV > 0 THEN CV := CV - 1;
  END_IF;
END_IF;
MU := CU;
MD := CD;
QU := CV >= PV;
QD := CV <= 0;
END_FUNCTION_BLOCK)";

constexpr std::string_view kTon = R"(
FUNCTION_BLOCK TON
VAR_INPUT IN : BOOL; PT : TIME; END_VAR
VAR_OUTPUT Q : BOOL; ET : TIME; END_VAR
VAR __AGE : TIME; RUNS : BOOL; END_VAR
IF NOT IN THEN
  Q := FALSE; ET := T#0s; RUNS := FALSE;
ELSIF NOT RUNS THEN
  RUNS := TRUE; ET := T#0s; Q := PT <= T#0s;
ELSE
  IF PT <= ET OR __AGE >= PT - ET THEN ET := PT; ELSE ET := ET + __AGE; END_IF;
  Q := ET >= PT;
END_IF;
__AGE := T#0s;
END_FUNCTION_BLOCK)";

constexpr std::string_view kTof = R"(
FUNCTION_BLOCK TOF
VAR_INPUT IN : BOOL; PT : TIME; END_VAR
VAR_OUTPUT Q : BOOL; ET : TIME; END_VAR
VAR __AGE : TIME; M : BOOL; END_VAR
IF IN THEN
  Q := TRUE; ET := T#0s; M := TRUE;
ELSIF M THEN
  M := FALSE; ET := T#0s; Q := PT > T#0s;
ELSIF Q THEN
  IF PT <= ET OR __AGE >= PT - ET THEN ET := PT; ELSE ET := ET + __AGE; END_IF;
  Q := ET < PT;
END_IF;
__AGE := T#0s;
END_FUNCTION_BLOCK)";

constexpr std::string_view kTp = R"(
FUNCTION_BLOCK TP
VAR_INPUT IN : BOOL; PT : TIME; END_VAR
VAR_OUTPUT Q : BOOL; ET : TIME; END_VAR
VAR __AGE : TIME; M : BOOL; END_VAR
IF Q THEN
  IF PT <= ET OR __AGE >= PT - ET THEN ET := PT; ELSE ET := ET + __AGE; END_IF;
  Q := ET < PT;
ELSIF IN AND NOT M THEN
  ET := T#0s; Q := PT > T#0s;
END_IF;
IF NOT Q AND NOT IN THEN ET := T#0s; END_IF;
M := IN;
__AGE := T#0s;
END_FUNCTION_BLOCK)";

constexpr std::array<std::pair<std::string_view, std::string_view>, 21> kBlocks = {{
    {"r_trig", kRTrig},     {"f_trig", kFTrig},  {"sr", kSr},        {"rs", kRs},
    {"ctu", kCtu},          {"ctd", kCtd},       {"ctud", kCtud},    {"ton", kTon},
    {"tof", kTof},          {"tp", kTp},         {"ton_time", kTon}, {"tof_time", kTof},
    {"tp_time", kTp},       {"iec_timer", kTon}, {"ctu_int", kCtu},  {"ctd_int", kCtd},
    {"ctud_int", kCtud},    {"rtrig", kRTrig},   {"ftrig", kFTrig},  {"ton_ltime", kTon},
    {"iec_counter", kCtud},
}};

}  // namespace

std::string_view builtin_block(std::string_view key) {
  for (const auto& [name, text] : kBlocks)
    if (name == key) return text;
  return {};
}

}  // namespace lem::st
