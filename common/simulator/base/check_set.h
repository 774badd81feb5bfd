// SPDX-License-Identifier: MIT
// Which checks are on. base/vocabulary.inc has a row for each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cudasim {

/// A field for each check.
struct CheckSet {
  enum class Asked { always, in_all, on_request };
#define CHECK(word, asked, workers, factory, meaning, ...) bool word = Asked::asked == Asked::always;
#include "base/vocabulary.inc"

  /// Turns on the checks that a word of CUDASIM_CHECK names; false: no such word. The word of a check that is always on
  /// has no effect.
  bool turn_on(std::string_view name);
  std::vector<std::string> names() const;  ///< those that are on
  static std::string known_words();        ///< "all, none, memory, ..."
};

}  // namespace cudasim
