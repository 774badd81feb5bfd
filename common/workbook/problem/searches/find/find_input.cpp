// SPDX-License-Identifier: MIT
// The bits of keys that are hits, and of keys that are nearly hits.
#include "workbook/problem/searches/find/find_input.h"

#include <algorithm>
#include <cstring>

#include "workbook/problem/generator.h"

namespace workbook {
namespace {

template <typename T>
T key_of(std::uint32_t bits) {
  T key;
  static_assert(sizeof key == sizeof bits);
  std::memcpy(&key, &bits, sizeof key);
  return key;
}

template <typename T>
std::uint32_t bits_of(T key) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &key, sizeof bits);
  return bits;
}

constexpr std::uint32_t kSign = 0x80000000u;

std::vector<bool> hit_mask(Places places, std::size_t n, std::size_t at, std::uint32_t seed, Generator& generator) {
  constexpr std::uint32_t kLongestRun = 5000;
  std::vector<bool> is_hit(n);
  if (n == 0) return is_hit;
  const std::size_t first = std::min(at, n - 1);
  switch (places) {
    case Places::none:
      break;
    case Places::two:
      is_hit[std::min(first + second_hit_behind(seed), n - 1)] = true;
      is_hit[first] = true;
      break;
    case Places::ends:
      is_hit[n - 1] = true;
      is_hit[first] = true;
      break;
    case Places::one:
      is_hit[first] = true;
      break;
    case Places::middle:
      is_hit[n / 2] = true;
      break;
    case Places::sixteenth:
      for (std::size_t i = 0; i < n; ++i) is_hit[i] = generator() % 16 == 0;
      break;
    case Places::runs:
      for (std::size_t i = 0, end = 0; i < n; i = end) {
        const bool value = i > 0 && !is_hit[i - 1];
        end = std::min<std::size_t>(n, i + 1 + generator() % kLongestRun);
        std::fill(is_hit.begin() + static_cast<std::ptrdiff_t>(i), is_hit.begin() + static_cast<std::ptrdiff_t>(end),
                  value);
      }
      break;
    case Places::all:
      is_hit.assign(n, true);
      break;
  }
  return is_hit;
}

}  // namespace

std::vector<std::string> find_types() { return {"uint", "int", "float"}; }
std::vector<std::string> find_places() { return {"none", "one", "middle", "two", "ends", "sixteenth", "runs", "all"}; }
std::vector<std::string> find_wanted() { return {"number", "zero", "ones"}; }

template <typename T>
T wanted_key(Wanted wanted, std::uint32_t seed) {
  if (wanted == Wanted::zero) return T{};
  if (wanted == Wanted::ones) return key_of<T>(~0u);
  Generator generator(seed);
  return key_of<T>(static_cast<std::uint32_t>(generator()) &
                   0xBFFFFFFFu);  // for floats a number: not all bits of the exponent are set
}

template <typename T>
std::vector<T> make_keys(Places places, T x, std::size_t n, std::size_t at, std::uint32_t seed) {
  Generator generator(seed + 1);
  const std::vector<bool> is_hit = hit_mask(places, n, at, seed, generator);
  std::vector<T> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto random = static_cast<std::uint32_t>(generator());
    if (is_hit[i]) {
      const bool has_other_sign = x == T{} && key_of<T>(kSign) == T{} && random % 2 == 0;
      keys[i] = key_of<T>(bits_of(x) ^ (has_other_sign ? kSign : 0u));
      continue;
    }
    std::uint32_t bits = i % 2 == 0 ? random : bits_of(x) ^ (1u << random % 32);
    while (key_of<T>(bits) == x) bits ^= 1u << bits % 29;
    keys[i] = key_of<T>(bits);
  }
  return keys;
}

template unsigned wanted_key(Wanted, std::uint32_t);
template int wanted_key(Wanted, std::uint32_t);
template float wanted_key(Wanted, std::uint32_t);
template std::vector<unsigned> make_keys(Places, unsigned, std::size_t, std::size_t, std::uint32_t);
template std::vector<int> make_keys(Places, int, std::size_t, std::size_t, std::uint32_t);
template std::vector<float> make_keys(Places, float, std::size_t, std::size_t, std::uint32_t);

}  // namespace workbook
