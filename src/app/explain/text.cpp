#include "app/explain/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/version.h"

namespace lem::app {

namespace {

/// Needed items in the order in which they are explained: lemmas that exclude the violation, then
/// those that keep them, and so on; values as the run has them.
std::vector<std::size_t> reading_order(const Explanation& found) {
  std::vector<std::size_t> order;
  auto take = [&](std::size_t item) {
    bool there = std::find(order.begin(), order.end(), item) != order.end();
    if (found.items[item].needed && !there) order.push_back(item);
  };
  for (std::size_t i = 0; i < found.items.size(); ++i)
    if (found.items[i].excludes_violation) take(i);
  for (std::size_t at = 0; at < order.size(); ++at)
    for (std::size_t i : found.items[order[at]].kept_by) take(i);
  for (std::size_t i = 0; i < found.items.size(); ++i) take(i);
  return order;
}

std::string counted(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? " is" : "s are");
}

/// "excludes the violation; kept by 1, 3": what a lemma is needed for.
std::string role_of(const ExplainedItem& item, const std::map<std::size_t, std::size_t>& number) {
  std::string by;
  std::vector<std::size_t> numbers;
  for (std::size_t lemma : item.kept_by)
    if (auto at = number.find(lemma); at != number.end()) numbers.push_back(at->second);
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t one : numbers) by += (by.empty() ? "" : ", ") + std::to_string(one);
  std::string kept = by.empty() ? "holds after every step" : "kept by " + by;
  return (item.excludes_violation ? "excludes the violation; " : "") + kept;
}

std::string lemma_lines(const Explanation& found, const std::vector<std::size_t>& order) {
  std::map<std::size_t, std::size_t> number;
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = i + 1;
  std::string out;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ExplainedItem& item = found.items[order[i]];
    std::string place = item.place.empty() ? "" : item.place + ": ";
    out += fmt::format("{:>4}  {}{}\n      {}\n", i + 1, place, item.text, role_of(item, number));
  }
  return out;
}

std::string value_lines(const Explanation& found, const std::vector<std::size_t>& order) {
  std::size_t width = 0;
  for (std::size_t i : order) width = std::max(width, found.items[i].place.size());
  std::string out;
  for (std::size_t i : order)
    out += fmt::format("  {:<{}}  {}\n", found.items[i].place, width, found.items[i].text);
  return out;
}

}  // namespace

std::string explanation_text(const Explanation& found) {
  std::vector<std::size_t> order = reading_order(found);
  bool proof = found.kind == Explanation::Kind::Proof;
  std::string out = fmt::format("{}: {} of {} needed\n", found.property, order.size(),
                                counted(found.items.size(), proof ? "lemma" : "value"));
  out += proof ? lemma_lines(found, order) : value_lines(found, order);
  if (!found.note.empty()) out += found.note + "\n";
  if (!found.meaning.empty()) out += found.meaning + "\n";
  if (!found.minimal) out += "there may be fewer: not every question was decided in time\n";
  if (!found.shortest.empty()) out += found.shortest + "\n";
  return out;
}

std::string explanation_json(const std::string& file, const Explanation& found) {
  using Json = nlohmann::ordered_json;
  bool proof = found.kind == Explanation::Kind::Proof;
  std::vector<std::size_t> order = reading_order(found);
  Json out{{"tool", "lemmata"},
           {"version", version()},
           {"file", file},
           {"property", found.property},
           {"explains", proof ? "certificate" : "witness"},
           {"needed", order.size()},
           {"total", found.items.size()},
           {"minimal", found.minimal}};
  Json& items = out[proof ? "lemmas" : "values"] = Json::array();
  for (const ExplainedItem& item : found.items) {
    Json& one = items.emplace_back(Json::object());
    if (!item.place.empty()) one["place"] = item.place;
    if (proof) one["text"] = item.text;
    if (!item.smt.empty()) one["smt"] = item.smt;
    if (!proof) one["name"] = item.name;
    if (!proof) one["value"] = item.value;
    one["needed"] = item.needed;
    if (proof && item.needed) {
      one["kept_by"] = item.kept_by;
      one["excludes_violation"] = item.excludes_violation;
    }
  }
  if (proof) out["order"] = order;
  if (!found.note.empty()) out["note"] = found.note;
  if (!found.meaning.empty()) out["meaning"] = found.meaning;
  if (!found.shortest.empty()) out["shortest"] = found.shortest;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lem::app
