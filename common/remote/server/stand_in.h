// SPDX-License-Identifier: MIT
// An array of the student's process that shows other bytes than those that are meant.
#pragma once

#include <cstddef>
#include <cstdint>

namespace remote {

class StandIn {
 public:
  /// The array of `bytes` bytes at `address` holds those of `shown`. Both must outlive this.
  StandIn(std::uint64_t address, const std::byte* shown, const std::byte* meant, std::size_t bytes)
      : address_(address), shown_(shown), meant_(meant), bytes_(bytes) {}

  /// `data` has come from `address` of the student's process. Gets what is meant where it holds what is shown: in the
  /// array itself, or in a copy of it, as in page-locked memory or in a longer array. Other bytes stay.
  void put_what_is_meant(std::uint64_t address, std::byte* data, std::size_t bytes);

 private:
  bool is_at(std::size_t place, const std::byte* data, std::size_t bytes) const;
  std::size_t place_of_copy(const std::byte* data, std::size_t bytes);

  std::uint64_t address_;
  const std::byte *shown_, *meant_;
  std::size_t bytes_;
  std::size_t next_ = 0;      ///< where the last copy has ended: pieces follow each other
  std::size_t searched_ = 0;  ///< bytes, in all
};

}  // namespace remote
