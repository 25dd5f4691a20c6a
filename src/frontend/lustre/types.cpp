#include "frontend/lustre/types.h"

#include <algorithm>

#include "base/assert.h"

namespace lem::lustre {

TypeTable::TypeTable() {
  add({.kind = TypeKind::Bool, .name = "bool"});
  add({.kind = TypeKind::Int, .name = "int"});
  add({.kind = TypeKind::Real, .name = "real"});
  for (std::uint32_t width : {8U, 16U, 32U, 64U}) {
    std::string text = "int" + std::to_string(width);
    add({.kind = TypeKind::Machine, .name = text, .width = width, .sign = Signedness::Signed});
    text.insert(0, "u");
    add({.kind = TypeKind::Machine, .name = text, .width = width, .sign = Signedness::Unsigned});
  }
}

TypeId TypeTable::add(Type type) {
  std::size_t count = type.kind == TypeKind::Record ? 0 : 1;
  for (const Field& field : type.fields)
    count = std::min(count + leaf_count(field.type), kTooManyLeaves);
  types_.push_back(std::move(type));
  counts_.push_back(count);
  return TypeId{static_cast<std::uint32_t>(types_.size() - 1)};
}

TypeId TypeTable::machine(std::uint32_t width, Signedness sign) const {
  for (std::uint32_t i = 0; i < types_.size(); ++i) {
    const Type& type = types_[i];
    if (type.kind == TypeKind::Machine && type.width == width && type.sign == sign)
      return TypeId{i};
  }
  unreachable();
}

std::vector<Leaf> TypeTable::leaves(TypeId id) const {
  const Type& type = (*this)[id];
  if (type.kind != TypeKind::Record) return {{"", id}};
  std::vector<Leaf> out;
  for (const Field& field : type.fields)
    for (Leaf& leaf : leaves(field.type)) {
      leaf.path.insert(0, "." + field.name);
      out.push_back(std::move(leaf));
    }
  return out;
}

std::size_t TypeTable::field_offset(TypeId id, std::size_t field) const {
  const Type& type = (*this)[id];
  assert(type.kind == TypeKind::Record && field < type.fields.size() && "no such field");
  std::size_t offset = 0;
  for (std::size_t i = 0; i < field; ++i) offset += leaf_count(type.fields[i].type);
  return offset;
}

}  // namespace lem::lustre
