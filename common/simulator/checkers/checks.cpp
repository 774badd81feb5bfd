// SPDX-License-Identifier: MIT
#include "checkers/checks.h"

#include <algorithm>

namespace cudasim {
namespace {

enum class Workers { any, one };

}  // namespace

void Checks::add(const CheckSet& wanted) {
#define CHECK(word, asked, workers, factory, meaning, ...) \
  if (wanted.word) {                                       \
    factory(*this);                                        \
    wants_one_worker |= Workers::workers == Workers::one;  \
  }
#include "base/vocabulary.inc"
}

bool Checks::needs_one_worker() const {
  return wants_one_worker ||
         std::any_of(observers.begin(), observers.end(), [](const auto& observer) { return observer->hears_all(); });
}

}  // namespace cudasim
