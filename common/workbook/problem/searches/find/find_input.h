// SPDX-License-Identifier: MIT
// Seeded keys with known hits, for a search. The same arguments give the same bits on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace workbook {

/// The types of the keys, 32 bits each.
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

/// The places of the hits. `at`: the first hit of one, two and ends; the last key where there are fewer keys.
enum class Places : std::uint8_t {
  none,
  one,
  middle,     ///< Only the key in the middle.
  two,        ///< The other hit is near or far: a power of two behind it, by the seed.
  ends,       ///< The other hit is the last key.
  sixteenth,  ///< One of 16, at random.
  runs,       ///< Runs of hits, and runs of other keys, of up to 5,000 keys each.
  all,
};
std::vector<std::string> find_places();  ///< "none", "one", "middle", ...

/// The distance from the first hit of `two` to the second.
constexpr std::size_t second_hit_behind(std::uint32_t seed) { return std::size_t{1} << seed % 18; }

/// The key that the search looks for.
enum class Wanted : std::uint8_t {
  number,  ///< Any.
  zero,    ///< For floats, zeros of both signs are hits.
  ones,    ///< All bits set: the largest uint, -1, or NaN, which is never found.
};
std::vector<std::string> find_wanted();  ///< "number", "zero", "ones"

template <typename T>
T wanted_key(Wanted wanted, std::uint32_t seed);

/// Makes n keys. Those at the places of `places` hold x. Every second one of the others differs from x in one bit.
template <typename T>
std::vector<T> make_keys(Places places, T x, std::size_t n, std::size_t at, std::uint32_t seed);

}  // namespace workbook
