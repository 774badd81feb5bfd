// SPDX-License-Identifier: MIT
// A table over device memory that has a Part for each granule of addresses that was touched.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace cudasim {

template <class Part, unsigned granule_bits>
class PartsByAddress {
 public:
  static constexpr std::uint64_t kGranuleBytes = std::uint64_t{1} << granule_bits;

  /// That of the granule with this address. The last ones are found without a search.
  Part& at(std::uint64_t address) {
    const std::uint64_t granule = address >> granule_bits;
    Known& known = known_[granule % kKnown];
    if (known.part == nullptr || known.granule != granule) known = {granule, &search(granule)};
    return *known.part;
  }
  /// Null where nothing was touched in its granule.
  const Part* find(std::uint64_t address) const {
    const auto found = parts_.find(address >> granule_bits);
    return found == parts_.end() ? nullptr : found->second.get();
  }
  /// visit(first address, part) in any order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& [granule, part] : parts_) visit(granule << granule_bits, *part);
  }

 private:
  static constexpr std::size_t kKnown = 256;
  struct Known {
    std::uint64_t granule = 0;
    Part* part = nullptr;
  };
  Part& search(std::uint64_t granule) {
    auto& part = parts_[granule];
    if (part == nullptr) part = std::make_unique<Part>();
    return *part;
  }

  std::unordered_map<std::uint64_t, std::unique_ptr<Part>> parts_;
  std::array<Known, kKnown> known_;
};

}  // namespace cudasim
