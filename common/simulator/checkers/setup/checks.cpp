// SPDX-License-Identifier: MIT
#include "checkers/registry/checks.h"

#include <algorithm>

#include "checkers/history/history.h"
#include "checkers/init/initialised.h"
#include "checkers/race/race_workers.h"

namespace cudasim {
namespace {

enum class Workers { any, one };

}  // namespace

Checks::Checks() = default;
Checks::Checks(Checks&&) noexcept = default;
Checks& Checks::operator=(Checks&&) noexcept = default;
Checks::~Checks() = default;

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
