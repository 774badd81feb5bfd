// SPDX-License-Identifier: MIT
#include "base/finding.h"

#include <cstddef>

namespace cudasim {
namespace {

constexpr KindDescription kKinds[] = {
#define FINDING(kind, word, plural, severity, cuda_error, message, advice) \
  {word, Severity::severity, cuda_error, message, advice},
#include "base/vocabulary.inc"
};

constexpr bool all_have_words() {
  for (const KindDescription& kind : kKinds) {
    if (*kind.word == 0 || *kind.message == 0 || *kind.advice == 0) return false;
  }
  return true;
}
static_assert(all_have_words(), "each kind of finding has a word, a message and an advice in base/vocabulary.inc");

}  // namespace

Finding::Finding() = default;
Finding::Finding(const Finding& other) = default;
Finding::Finding(Finding&& other) noexcept = default;
Finding& Finding::operator=(const Finding& other) = default;
Finding& Finding::operator=(Finding&& other) noexcept = default;
Finding::~Finding() = default;

const KindDescription& words_of(FindingKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

}  // namespace cudasim
