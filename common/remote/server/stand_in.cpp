// SPDX-License-Identifier: MIT
#include "remote/server/stand_in.h"

#include <algorithm>
#include <cstring>

namespace remote {
namespace {

constexpr std::size_t kElement = sizeof(float), kKey = 4 * kElement;  // so many bytes are found nowhere by chance
constexpr std::size_t kMostSearched = 1 << 30;                        // a program may copy as many pieces as it likes

}  // namespace

void StandIn::put_what_is_meant(std::uint64_t address, std::byte* data, std::size_t bytes) {
  if (address >= address_ && address - address_ < bytes_) {
    const std::size_t place = address - address_;
    const std::size_t common = std::min(bytes, bytes_ - place);
    if (is_at(place, data, common)) std::memcpy(data, meant_ + place, common);
    return;
  }
  const std::size_t place = place_of_copy(data, bytes);
  const std::size_t most = std::min(bytes, bytes_ - place);
  const auto common = static_cast<std::size_t>(std::mismatch(data, data + most, shown_ + place).first - data);
  const std::size_t whole = common - common % kElement;
  if (whole == 0) return;
  std::memcpy(data, meant_ + place, whole);
  next_ = place + whole;
}

bool StandIn::is_at(std::size_t place, const std::byte* data, std::size_t bytes) const {
  return place < bytes_ && bytes <= bytes_ - place && std::memcmp(data, shown_ + place, bytes) == 0;
}

/// bytes_: it is no copy.
std::size_t StandIn::place_of_copy(const std::byte* data, std::size_t bytes) {
  const std::size_t key = std::min({kKey, bytes, bytes_});
  for (const std::size_t likely : {next_, std::size_t{0}})
    if (is_at(likely, data, std::min(key, bytes_ - likely))) return likely;
  if (key < kKey || searched_ >= kMostSearched) return bytes_;
  const auto* const found = static_cast<const std::byte*>(memmem(shown_, bytes_, data, key));
  const std::size_t place = found == nullptr ? bytes_ : static_cast<std::size_t>(found - shown_);
  searched_ += place;
  return place;
}

}  // namespace remote
