// SPDX-License-Identifier: MIT
// The names, and the loop over all places.
#include "workbook/problem/sorts/sort/sort_input.h"

#include <iterator>

namespace workbook {
namespace {

constexpr const char* kKeys[] = {"uniform",  "equal",       "zeros",    "two",           "sorted",
                                 "reversed", "organ-pipe",  "sawtooth", "nearly-sorted", "extremes",
                                 "padding",  "low-entropy", "special"};
constexpr const char* kTypeNames[] = {"unsigned", "signed", "float"};

}  // namespace

const char* name_of(Keys keys) { return kKeys[static_cast<std::size_t>(keys)]; }
const char* name_of(KeyType type) { return kTypeNames[static_cast<std::size_t>(type)]; }
std::vector<std::string> keys_names() { return {std::begin(kKeys), std::end(kKeys)}; }
std::vector<std::string> key_type_names() { return {std::begin(kTypeNames), std::end(kTypeNames)}; }

std::vector<std::uint32_t> make_keys(Keys keys, KeyType type, std::size_t n, std::uint32_t seed) {
  std::vector<std::uint32_t> made(n);
  for (std::size_t i = 0; i < n; ++i) made[i] = make_key(keys, type, i, n, seed);
  return made;
}

}  // namespace workbook
