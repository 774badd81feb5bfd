// SPDX-License-Identifier: MIT
#include "timing/global_accesses.h"

#include <algorithm>

namespace cudasim {
namespace {

/// The lines of one request. A table of twice as many places as lanes finds each again in about one step.
class LinesOfRequest {
 public:
  struct Line {
    std::uint64_t number = 0;
    std::uint64_t bytes[2] = {};  ///< a bit for each byte that is touched
    unsigned sectors = 0;         ///< a bit each
  };

  Line& at(std::uint64_t number) {
    auto place = static_cast<unsigned>(number * 0x9e3779b97f4a7c15ull >> 58);
    while ((used_ >> place & 1) != 0 && lines_[place].number != number) place = (place + 1) % 64;
    if ((used_ >> place & 1) == 0) {
      used_ |= std::uint64_t{1} << place;
      lines_[place] = Line{};
      lines_[place].number = number;
    }
    return lines_[place];
  }
  unsigned count() const { return static_cast<unsigned>(__builtin_popcountll(used_)); }
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint64_t left = used_; left != 0; left &= left - 1) visit(lines_[__builtin_ctzll(left)]);
  }

 private:
  std::uint64_t used_ = 0;
  Line lines_[64];
};

bool lie_in_one_line(const std::uint64_t* address, Mask mask) {
  const std::uint64_t first = address[__builtin_ctz(mask)];
  std::uint64_t differs = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) differs |= (mask >> lane & 1) != 0 ? (address[lane] ^ first) : 0;
  return differs < 128;
}

unsigned whole_sectors(const LinesOfRequest::Line& line) {
  unsigned whole = 0;
  for (unsigned sector = 0; sector < 4; ++sector)
    whole += static_cast<std::uint32_t>(line.bytes[sector / 2] >> (sector % 2 * 32)) == ~0u ? 1 : 0;
  return whole;
}

template <std::size_t count>
std::uint64_t bits_of(const std::uint64_t (&words)[count]) {
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words) sum += static_cast<std::uint64_t>(__builtin_popcountll(word));
  return sum;
}

}  // namespace

inline void GlobalAccesses::touch(bool is_store, std::uint64_t first_sector, std::uint64_t last_sector) {
  constexpr std::uint64_t kSectors = std::uint64_t{1} << (kGranuleBits - kSectorBits);
  for (std::uint64_t sector = first_sector; sector <= last_sector;) {
    Touched& part = touched_.at(sector << kSectorBits);
    const std::uint64_t place = sector % kSectors, count = std::min(64 - place % 64, last_sector - sector + 1);
    std::uint64_t& word = (is_store ? part.store : part.load)[place / 64];
    word |= (~std::uint64_t{0} >> (64 - count)) << (place % 64);
    sector += count;
  }
}

void GlobalAccesses::coalesced(bool is_store, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t lines = ((end - 1) >> kLineBits) - (begin >> kLineBits) + 1;
  const std::uint64_t first = begin >> kSectorBits, last = (end - 1) >> kSectorBits;
  if (is_store) {
    const std::uint64_t first_whole = (begin + 31) >> kSectorBits, behind_whole = end >> kSectorBits;
    const std::uint64_t whole = behind_whole > first_whole ? behind_whole - first_whole : 0;
    totals_.store_lines += lines;
    totals_.whole_sectors += whole;
    totals_.partial_sectors += last - first + 1 - whole;
  } else {
    totals_.load_lines += lines;
  }
  touch(is_store, first, last);
  if (!is_sampled()) return;
  sink->add_range(first, last, is_store ? Traffic::store : Traffic::load);
  sink->end_request();
}

/// A load within one line: mostly all lanes read one word, or neighbours in another order.
inline void GlobalAccesses::touch_line(const std::uint64_t* address, Mask mask) {
  unsigned sectors = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) sectors |= (mask >> lane & 1) << (address[lane] >> kSectorBits & 3);
  const std::uint64_t line = address[__builtin_ctz(mask)] >> kLineBits;
  const std::uint64_t place = (line << (kLineBits - kSectorBits)) % (Touched::kWords * 64);
  touched_.at(line << kLineBits).load[place / 64] |= std::uint64_t{sectors} << (place % 64);
  ++totals_.load_lines;
  if (!is_sampled()) return;
  sink->add(line, static_cast<SectorMask>(sectors), Traffic::load);
  sink->end_request();
}

void GlobalAccesses::apart(bool is_store, const std::uint64_t* address, std::uint32_t bytes, Mask mask) {
  if (!is_store && lie_in_one_line(address, mask)) return touch_line(address, mask);
  LinesOfRequest lines;
  for (Mask m = mask; m != 0; m &= m - 1) {
    const std::uint64_t begin = address[__builtin_ctz(m)];
    LinesOfRequest::Line& line = lines.at(begin >> kLineBits);
    const auto offset = static_cast<unsigned>(begin % 128);
    line.sectors |= 1u << (offset >> kSectorBits);
    if (is_store) line.bytes[offset / 64] |= ((std::uint64_t{1} << bytes) - 1) << (offset % 64);
  }
  lines.for_each([&](const LinesOfRequest::Line& line) {
    Touched& part = touched_.at(line.number << kLineBits);
    const std::uint64_t place = (line.number << (kLineBits - kSectorBits)) % (Touched::kWords * 64);
    (is_store ? part.store : part.load)[place / 64] |= std::uint64_t{line.sectors} << (place % 64);
    if (is_sampled())
      sink->add(line.number, static_cast<SectorMask>(line.sectors), is_store ? Traffic::store : Traffic::load);
    if (!is_store) return;
    const unsigned whole = whole_sectors(line);
    totals_.whole_sectors += whole;
    totals_.partial_sectors += static_cast<unsigned>(__builtin_popcount(line.sectors)) - whole;
  });
  if (is_sampled()) sink->end_request();
  (is_store ? totals_.store_lines : totals_.load_lines) += lines.count();
  totals_.random_loads += !is_store && lines.count() > 16 ? 1 : 0;
}

void GlobalAccesses::update(std::uint64_t address) {
  const std::uint64_t sector = address >> kSectorBits;
  touch(false, sector, sector);
  touch(true, sector, sector);
}

void GlobalAccesses::add(const GlobalAccesses& other) {
  totals_.load_lines += other.totals_.load_lines;
  totals_.store_lines += other.totals_.store_lines;
  totals_.whole_sectors += other.totals_.whole_sectors;
  totals_.partial_sectors += other.totals_.partial_sectors;
  totals_.random_loads += other.totals_.random_loads;
  other.touched_.for_each([this](std::uint64_t address, const Touched& part) {
    Touched& sum = touched_.at(address);
    for (std::size_t i = 0; i < Touched::kWords; ++i) {
      sum.load[i] |= part.load[i];
      sum.store[i] |= part.store[i];
    }
  });
}

GlobalAccesses::Totals GlobalAccesses::totals() const {
  Totals totals = totals_;
  touched_.for_each([&totals](std::uint64_t, const Touched& part) {
    totals.load_footprint += bits_of(part.load);
    totals.store_footprint += bits_of(part.store);
  });
  return totals;
}

std::uint64_t GlobalAccesses::footprint() const {
  std::uint64_t sum = 0;
  touched_.for_each([&sum](std::uint64_t, const Touched& part) {
    for (std::size_t i = 0; i < Touched::kWords; ++i)
      sum += static_cast<std::uint64_t>(__builtin_popcountll(part.load[i] | part.store[i]));
  });
  return sum;
}

std::uint64_t GlobalAccesses::fetched(const GlobalAccesses* before) const {
  constexpr std::uint64_t kFirstOfTwo = 0x5555'5555'5555'5555;
  const auto pairs = [](std::uint64_t bits) { return (bits | bits >> 1) & kFirstOfTwo; };
  std::uint64_t sum = 0;
  touched_.for_each([&](std::uint64_t address, const Touched& part) {
    const Touched* const earlier = before != nullptr ? before->touched_.find(address) : nullptr;
    for (std::size_t i = 0; i < Touched::kWords; ++i) {
      const std::uint64_t there = earlier != nullptr ? pairs(earlier->load[i] | earlier->store[i]) : 0;
      sum += 2 * static_cast<std::uint64_t>(__builtin_popcountll(pairs(part.load[i]) & ~there));
    }
  });
  return sum;
}

}  // namespace cudasim
