// Variables with an address (AT %QX0.0): two at one address would be one variable.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/result.h"
#include "frontend/st/translate/environment.h"

namespace lem::st {

namespace {

/// An address as a range of bits, with bytes counted through as most controllers do.
struct Range {
  char area = ' ';  // i, q, m
  char size = 'x';
  std::uint64_t first = 0, last = 0;
};

/// Nothing for %I* and for addresses of another form.
std::optional<Range> range_of(const std::string& address) {
  std::size_t at = 1;
  if (address.size() < 3 || std::string_view("iqm").find(address[at]) == std::string_view::npos)
    return {};
  Range out{address[at++]};
  if (std::string_view("xbwdl").find(address[at]) != std::string_view::npos)
    out.size = address[at++];
  auto number = [&]() -> std::optional<std::uint64_t> {
    std::size_t from = at;
    while (at < address.size() && address[at] >= '0' && address[at] <= '9') ++at;
    if (at == from || at - from > 9) return {};
    return std::stoull(address.substr(from, at - from));
  };
  std::optional<std::uint64_t> byte = number();
  if (!byte) return {};
  std::uint64_t bit = 0;
  if (at < address.size() && address[at] == '.') {
    ++at;
    std::optional<std::uint64_t> found = number();
    if (!found) return {};
    bit = *found;
  }
  if (at != address.size()) return {};  // %IX1.2.3: a module's
  std::uint64_t bits = out.size == 'x'   ? 1
                       : out.size == 'b' ? 8
                       : out.size == 'w' ? 16
                       : out.size == 'd' ? 32
                                         : 64;
  out.first = 8 * *byte + bit;
  out.last = out.first + bits - 1;
  return out;
}

struct Located {
  std::string path, address;
  SourcePos at;
  std::optional<Range> range;
};

class Collector {
 public:
  void variable(const std::string& path, const Variable& one) {
    if (!one.address.empty() && one.address.find('*') == std::string::npos)
      out_.push_back({path, one.address, one.name.at, range_of(one.address)});
    instances(path, *one.type);
  }
  const std::vector<Located>& found() const { return out_; }

 private:
  void instances(const std::string& path, const Type& type) {
    if (type.kind == Type::Kind::Array)  // two elements are enough to share an address
      for (std::size_t i = 0; i < std::min<std::size_t>(type.elements(), 2); ++i)
        instances(path + "[" + std::to_string(i) + "]", *type.element);
    if (type.kind == Type::Kind::Structure)
      for (const Part& part : type.parts) instances(path + "." + part.name.text, *part.type);
    if (type.kind == Type::Kind::Block && !type.block->builtin)
      for (const Variable& one : type.block->variables)
        if (one.section != Section::InOut && one.section != Section::External)
          variable(path + "." + one.name.text, one);
  }

  std::vector<Located> out_;
};

}  // namespace

Status check_addresses(const Context& context) {
  Collector all;
  for (const Variable& one : context.program.globals) all.variable(one.name.text, one);
  for (const Variable& one : context.entry->variables)
    if (one.section != Section::External) all.variable(one.name.text, one);
  std::map<std::string, const Located*> by_address;
  std::vector<const Located*> ranges;
  for (const Located& one : all.found()) {
    auto [other, is_new] = by_address.insert({one.address, &one});
    if (!is_new)
      return Error{one.at, fmt::format("'{}' and '{}' are both at {}: variables that share memory "
                                       "are not supported",
                                       other->second->path, one.path, one.address)};
    if (one.range) ranges.push_back(&one);
  }
  std::sort(ranges.begin(), ranges.end(), [](const Located* a, const Located* b) {
    return std::tuple(a->range->area, a->range->first) <
           std::tuple(b->range->area, b->range->first);
  });
  for (std::size_t i = 0; i + 1 < ranges.size(); ++i) {
    const Range &one = *ranges[i]->range, &next = *ranges[i + 1]->range;
    if (one.area != next.area || one.size == next.size || next.first > one.last) continue;
    context.warnings.push_back(
        {ranges[i + 1]->at,
         fmt::format("{} and {} may be the same memory; '{}' and '{}' are taken as two variables",
                     ranges[i]->address, ranges[i + 1]->address, ranges[i]->path,
                     ranges[i + 1]->path)});
  }
  return Ok{};
}

}  // namespace lem::st
