// C expressions in witnesses, over words and over whole numbers: a condition is a Bool, and a
// number is the same when it is written down and read again.
#include "check/c/parse.h"
#include "target.h"

using namespace lem;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = fuzz::text_of(data, size);
  for (check::CNumbers numbers : {check::CNumbers::Bits, check::CNumbers::Whole}) {
    TermStore terms;
    bool whole = numbers == check::CNumbers::Whole;
    std::vector<CVariable> variables;
    auto add = [&](const char* name, std::uint32_t bits, CSign sign) {
      Sort sort = whole ? terms.int_sort() : terms.bv_sort(bits);
      variables.push_back({terms.variable(name, sort), name, "main", 1, bits, sign, COrigin::User});
    };
    add("x", 32, CSign::Signed);
    add("u", 32, CSign::Unsigned);
    add("c", 8, CSign::Signed);
    add("l", 64, CSign::Unsigned);
    add("s.a[3]", 16, CSign::Signed);
    CVariable array{
        terms.variable("a", terms.array_sort(whole ? terms.int_sort() : terms.bv_sort(32),
                                             whole ? terms.int_sort() : terms.bv_sort(32))),
        "a[]",
        "main",
        1,
        32,
        CSign::Signed,
        COrigin::User};
    variables.push_back(array);
    check::CScope scope = [&](std::string_view name) -> const CVariable* {
      for (const CVariable& one : variables)
        if (one.name == name) return &one;
      return nullptr;
    };
    Result<Term> condition = check::parse_condition(terms, text, scope, 32, numbers);
    if (condition)
      fuzz::must(terms.kind(*condition) == SortKind::Bool, "a condition that is no Bool");
    Result<mpz_class> number = check::parse_number(terms, text, 64, numbers);
    if (!number) continue;
    Result<mpz_class> again = check::parse_number(terms, number->get_str(), 64, numbers);
    fuzz::must(!again || *again == *number, "another number: " + number->get_str());
  }
  return 0;
}
