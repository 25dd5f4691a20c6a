// What small C programs of the tests begin with: the conventions of SV-COMP.
#pragma once

#include <string>

namespace lem {

inline const std::string kHead =
    "extern int __VERIFIER_nondet_int(void);\n"
    "extern unsigned __VERIFIER_nondet_uint(void);\n"
    "extern char __VERIFIER_nondet_char(void);\n"
    "extern _Bool __VERIFIER_nondet_bool(void);\n"
    "extern void reach_error(void);\n"
    "extern void abort(void);\n"
    "extern void __VERIFIER_assume(int);\n";  // 7 lines

}  // namespace lem
