// SPDX-License-Identifier: MIT
#include "base/check_set.h"

namespace cudasim {

bool CheckSet::turn_on(std::string_view name) {
  bool is_known = name == "all" || name == "none";
  const auto look = [&](std::string_view word, Asked asked, bool& is_on) {
    is_known |= name == word;
    is_on |= name == word || (name == "all" && asked == Asked::in_all);
  };
#define CHECK(word, asked, workers, factory, meaning, ...) look(#word, Asked::asked, this->word);
#include "base/vocabulary.inc"
  return is_known;
}

std::vector<std::string> CheckSet::names() const {
  std::vector<std::string> names;
#define CHECK(word, asked, workers, factory, meaning, ...) \
  if (word) names.emplace_back(#word);
#include "base/vocabulary.inc"
  return names;
}

std::string CheckSet::known_words() {
  std::string words = "all, none";
#define CHECK(word, asked, workers, factory, meaning, ...) words += ", " #word;
#include "base/vocabulary.inc"
  return words;
}

}  // namespace cudasim
