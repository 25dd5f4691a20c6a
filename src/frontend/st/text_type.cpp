// Texts are numbered: '' is 0, then each literal of the unit has a number of its own. That is exact
// for what is supported, which is assignment and the comparison of two texts for equality. What
// could be cut off by STRING[n] is refused where it is assigned; so are functions of texts.
#include "frontend/st/text_type.h"

#include <algorithm>

#include "frontend/st/visit_expressions.h"

namespace lem::st {

namespace {

constexpr std::uint32_t kBits = 16;

class Texts {
 public:
  explicit Texts(Type& type) : type_(type) { add(""); }
  void add(const std::string& written) {
    std::string decoded = text_of(written);
    if (text_number(type_, decoded)) return;
    type_.length = std::max(type_.length, static_cast<std::uint32_t>(decoded.size()));
    mpz_class number(std::to_string(type_.literals.size()));
    type_.literals.push_back({Name{"'" + one_line(written) + "'", decoded, {}}, number});
  }
  void add_all(const Expr* expr) {
    walk(expr, [&](const Expr& one) {
      if (one.kind == Expr::Kind::String) add(one.text);
    });
  }

 private:
  /// Tables have two spaces between columns.
  static std::string one_line(std::string text) {
    for (std::size_t at = text.find("  "); at != text.npos; at = text.find("  "))
      text.replace(at + 1, 1, "$20");
    return text;
  }

  Type& type_;
};

bool has_text(const TypePtr& type) {
  if (type == nullptr) return false;
  if (type->kind == TypeExpr::Kind::Text) return true;
  return has_text(type->element) ||
         std::any_of(type->fields.begin(), type->fields.end(),
                     [](const Field& field) { return has_text(field.type); });
}

}  // namespace

Result<Type> text_type(const Unit& unit) {
  Type out{Type::Kind::Enum, kBits};
  out.name = "STRING";
  out.text = true;
  Texts texts(out);
  auto variables = [&](const std::vector<VarDecl>& list) {
    for (const VarDecl& one : list) {
      texts.add_all(one.initial.get());
      bool outside = one.section == Section::Input || one.section == Section::InOut || one.retain ||
                     one.address.starts_with("%i");
      out.open = out.open || (outside && has_text(one.type));
    }
  };
  variables(unit.globals);
  for (const TypeDecl& one : unit.types) {
    texts.add_all(one.initial.get());
    for (const Field& field : one.type->fields) texts.add_all(field.initial.get());
  }
  for (const Pou& pou : unit.pous) {
    variables(pou.variables);
    for (const Pou& method : pou.methods) variables(method.variables);
    walk(pou, [&](const Expr& expr) {
      if (expr.kind == Expr::Kind::String) texts.add(expr.text);
    });
  }
  if (out.literals.size() > 30'000) return Error{{}, "more than 30,000 texts are not supported"};
  return out;
}

}  // namespace lem::st
