// SPDX-License-Identifier: MIT
// Seeded elements for a scan, its reference and its error bound. The same arguments give the same bits on every
// machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workbook/student/scan.h"

namespace workbook {

/// The types of the elements, 32 bits each. The operator of the last is not commutative.
enum class ScanType : std::uint8_t { ints, floats, maps };
std::vector<std::string> scan_types();  ///< "int", "float", "affine"

/// Calls visit(T{}) with the type of the elements.
template <typename Visit>
auto with_type(ScanType type, Visit visit) {
  switch (type) {
    case ScanType::ints:
      return visit(0);
    case ScanType::floats:
      return visit(0.0f);
    case ScanType::maps:
      break;
  }
  return visit(Affine{});
}

/// The elements.
enum class Elements : std::uint8_t {
  random,    ///< Any int; floats in [-1, 1); maps whose scales are odd, so that no scan loses what is before.
  ones,      ///< 1, and the map x + 1: element i of the result tells how many elements are in it.
  infinity,  ///< As random, but one of the first 100 floats is infinite: all from there on are, and none before.
};
std::vector<std::string> scan_elements();  ///< "random", "ones", "infinity"

template <typename T>
std::vector<T> make_elements(Elements elements, std::size_t n, std::uint32_t seed);

/// The result, and the largest error that is allowed for each element (empty: every bit must match).
template <typename T>
struct ScanReference {
  std::vector<T> output;
  std::vector<float> bounds;
};

/// Scans each `tile` elements by themselves. For ints and maps nothing is rounded. The bound of a float is 2 * min(d, 8
/// * sqrt(d)) * 2^-24 * (the sum of |x| up to it). Here d is the longest chain of additions that its sum may have:
/// addition_depth(), and one more for each 512 elements, as a sum may be handed on from tile to tile. Each addition has
/// an error of at most 2^-24 of its result. The errors of a long chain have different signs, so they exceed 8 * sqrt(d)
/// only with a probability below 10^-13 (N. Higham and T. Mary, SIAM J. Sci. Comput. 41, 2019, with lambda = 8). The
/// bound is 0 where no order rounds, as the numbers are whole and the sum of |x| is at most 2^24. It is also 0 where
/// the result is not finite.
template <typename T>
ScanReference<T> reference_scan(Scan scan, const std::vector<T>& input, std::size_t tile);

/// The text of an element, from its bits: "7", "0.25", "3x + 5".
std::string text_of_element(ScanType type, std::uint32_t bits);

}  // namespace workbook
