// SPDX-License-Identifier: MIT
// Seeded keys to look for one among them, and where it is. The same arguments give the same bits everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace workbook {

/// What the keys are, 32 bits each.
enum class FindType : std::uint8_t { uints, ints, floats };
std::vector<std::string> find_types();  ///< "uint", "int", "float"

/// Calls visit(T{}) with the type of the keys.
template <typename Visit>
auto with_type(FindType type, Visit visit) {
  switch (type) {
    case FindType::uints:
      return visit(0u);
    case FindType::ints:
      return visit(0);
    case FindType::floats:
      break;
  }
  return visit(0.0f);
}

/// Which keys are hits. `at`: the first of one, two and ends; the last key where there are not so many.
enum class Places : std::uint8_t {
  none,
  one,
  middle,     ///< the key in the middle alone
  two,        ///< the other one is near, or far: a power of two behind it, by the seed
  ends,       ///< the other one is the last key
  sixteenth,  ///< one of 16, at random
  runs,       ///< hits in runs, and no hits in runs, of up to 5,000 keys each
  all,
};
std::vector<std::string> find_places();  ///< "none", "one", "middle", ...

/// How far behind the first hit of `two` the second one is.
constexpr std::size_t second_hit_behind(std::uint32_t seed) { return std::size_t{1} << seed % 18; }

/// What is looked for.
enum class Wanted : std::uint8_t {
  number,  ///< any
  zero,    ///< the hits of floats are zeros of both signs
  ones,    ///< all bits set: the largest uint, -1, or NaN, which is never found
};
std::vector<std::string> find_wanted();  ///< "number", "zero", "ones"

template <typename T>
T wanted_key(Wanted wanted, std::uint32_t seed);

/// n keys, of which those that `places` names hold x. Of the others, every second one differs from x in one bit.
template <typename T>
std::vector<T> make_keys(Places places, T x, std::size_t n, std::size_t at, std::uint32_t seed);

}  // namespace workbook
