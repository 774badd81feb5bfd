// SPDX-License-Identifier: MIT
#include "machine/units/deferred_atomics.h"

#include <algorithm>

namespace cudasim {
namespace {

/// After so many accesses elsewhere all stretches are given up.
constexpr unsigned kMostMisses = 64;
/// So few accesses are as quick at once. Where the words are read that soon, most later ones will be, too.
constexpr unsigned kTooFew = 4, kRefusedThen = 256;

}  // namespace

/// Another stretch with these words, or an unused one that is moved there.
bool DeferredAtomics::finds(std::uintptr_t first, std::uintptr_t end) {
  for (Stretch& stretch : stretches_) {
    if (!stretch.reaches(first, end)) continue;
    now_ = &stretch;
    return true;
  }
  const auto is_free = [](const Stretch& stretch) { return stretch.used.end == 0; };
  auto* place = std::find_if(stretches_.begin(), stretches_.end(), is_free);
  if (place == stretches_.end()) {
    if (++misses_ < kMostMisses) return false;
    flush();
    place = stretches_.begin();
  }
  misses_ = 0;
  now_ = place;
  if (now_->sums == nullptr) now_->sums = std::make_unique<Word[]>(kStretchBytes / sizeof(Word));
  now_->first = (first - (2 * kMostBytes - (end - first)) / 2) / kLineBytes * kLineBytes;
  return true;
}

void DeferredAtomics::look_closely(std::uintptr_t first, std::uintptr_t end) {
  const auto is_there = [=](const Stretch& stretch) { return stretch.used.meets(first, end); };
  if (std::none_of(stretches_.begin(), stretches_.end(), is_there)) return;
  if (taken_ < kTooFew) to_refuse_ = kRefusedThen;
  add_to_memory();
}

void DeferredAtomics::add_to_memory() {
  for (Stretch& stretch : stretches_) {
    if (stretch.used.end != 0) add_to_memory(stretch);
  }
  used_ = {};
  taken_ = 0;
}

void DeferredAtomics::add_to_memory(Stretch& stretch) {
  constexpr std::size_t kWordsOfLine = kLineBytes / sizeof(Word);
  const std::size_t last = (stretch.used.end - stretch.first) / sizeof(Word);
  std::size_t line = (stretch.used.begin - stretch.first) / kLineBytes * kWordsOfLine;
  for (; line < last; line += kWordsOfLine) {
    Word* const sums = &stretch.sums[line];
    Word any = 0;
    for (std::size_t i = 0; i < kWordsOfLine; ++i) any |= sums[i];
    if (any == 0) continue;
    Word* const memory = reinterpret_cast<Word*>(stretch.first) + line;
    for (std::size_t i = 0; i < kWordsOfLine; ++i) {
      if (sums[i] == 0) continue;
      __atomic_fetch_add(&memory[i], sums[i], __ATOMIC_ACQ_REL);
      sums[i] = 0;
    }
  }
  stretch.used = {};
}

}  // namespace cudasim
