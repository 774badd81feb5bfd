// SPDX-License-Identifier: MIT
#include "timing/global_accesses.h"

#include <algorithm>

namespace cudasim {
namespace {

constexpr std::uint64_t kBytesOfALine = 128, kSectorsOfALine = 4;

/// The lines of one request. A table of twice as many places as lanes finds each again in about one step.
class LinesOfRequest {
 public:
  struct Line {
    std::uint64_t number;
    std::uint64_t bytes[2];  ///< that are touched, a bit each
    unsigned sectors;        ///< a bit each
  };

  /// All bytes from `begin` to `end`. The bytes of loads do not matter.
  void add(bool is_store, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t next = begin; next < end;) {
      Line& line = at(next / kBytesOfALine);
      const std::uint64_t from = next % kBytesOfALine, to = std::min(kBytesOfALine, from + end - next);
      line.sectors |= (1u << ((to - 1) / 32 + 1)) - (1u << from / 32);
      for (std::uint64_t word = from / 64; is_store && word <= (to - 1) / 64; ++word) {
        const std::uint64_t low = std::max(from, word * 64), high = std::min(to, word * 64 + 64);
        line.bytes[word] |= (~std::uint64_t{0} >> (64 - (high - low))) << low % 64;
      }
      next += to - from;
    }
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint64_t left = used_; left != 0; left &= left - 1) visit(lines_[__builtin_ctzll(left)]);
  }

 private:
  Line& at(std::uint64_t number) {
    auto place = static_cast<unsigned>(number * 0x9e3779b97f4a7c15ull >> 58);
    while ((used_ >> place & 1) != 0 && lines_[place].number != number) place = (place + 1) % 64;
    if ((used_ >> place & 1) == 0) {
      used_ |= std::uint64_t{1} << place;
      lines_[place] = {number, {0, 0}, 0};
    }
    return lines_[place];
  }

  std::uint64_t used_ = 0;
  Line lines_[64];  // those that are not used hold nothing: to clear them would take longer than all else
};

unsigned whole_sectors(const LinesOfRequest::Line& line) {
  unsigned whole = 0;
  for (unsigned sector = 0; sector < 4; ++sector)
    whole += static_cast<std::uint32_t>(line.bytes[sector / 2] >> (sector % 2 * 32)) == ~0u ? 1 : 0;
  return whole;
}

/// Words that lanes want of each bank. Lanes that want one word of it follow each other mostly.
class Banks {
 public:
  void add(std::uint64_t address, std::uint32_t bytes) {
    for (std::uint64_t word = address / 4; word <= (address + bytes - 1) / 4; ++word) {
      const auto name = static_cast<std::uint32_t>(word + 1);
      std::uint32_t& last = last_[word % kBanks];
      if (last == name) continue;
      last = name;
      most_ = std::max(most_, ++words_[word % kBanks]);
    }
  }
  std::uint8_t passes() const { return most_; }

 private:
  static constexpr unsigned kBanks = 32;
  std::uint32_t last_[kBanks] = {};
  std::uint8_t words_[kBanks] = {}, most_ = 0;
};

unsigned bits_of(unsigned sectors) { return (sectors & 1) + (sectors >> 1 & 1) + (sectors >> 2 & 1) + (sectors >> 3); }

}  // namespace

void GlobalAccesses::coalesced(bool is_store, std::uint64_t begin, std::uint64_t end) {
  if (!is_store && begin >> kLineBits == (end - 1) >> kLineBits) return load_of_line(begin, end);
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
    totals_.load_passes += lines;
  }
  for (std::uint64_t sector = first; sector <= last;) {
    const std::uint64_t in_line = sector % kSectorsOfALine,
                        count = std::min(kSectorsOfALine - in_line, last - sector + 1);
    Line& line = line_at(sector << kSectorBits);
    std::uint8_t& touched = is_store ? line.store : line.load;
    touched = static_cast<std::uint8_t>(touched | ((1u << count) - 1) << in_line);
    sector += count;
  }
  if (!is_sampled()) return;
  sink->add_range(first, last, is_store ? Traffic::store : Traffic::load);
  sink->end_request();
}

void GlobalAccesses::load_of_line(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t first = begin >> kSectorBits & (kSectorsOfALine - 1);
  const std::uint64_t last = (end - 1) >> kSectorBits & (kSectorsOfALine - 1);
  const auto sectors = static_cast<std::uint8_t>((2u << last) - (1u << first));
  Line& line = line_at(begin);
  line.load = static_cast<std::uint8_t>(line.load | sectors);
  ++totals_.load_lines;
  ++totals_.load_passes;
  if (!is_sampled()) return;
  sink->add(begin >> kLineBits, sectors, Traffic::load);
  sink->end_request();
}

/// Lanes that mostly lie in other lines each time. Their elements lie within sectors.
void GlobalAccesses::apart(bool is_store, const std::uint64_t* address, std::uint32_t bytes, Mask mask) {
  if (is_store || is_sampled()) {
    Pattern pattern;
    find_pattern(pattern, is_store, address[__builtin_ctz(mask)], address, bytes, mask);
    return apart(is_store, address[__builtin_ctz(mask)], pattern);
  }
  ++request_;
  std::uint64_t lines = 0;
  Banks banks;
  for (Mask m = mask; m != 0; m &= m - 1) {
    const std::uint64_t at = address[__builtin_ctz(m)];
    banks.add(at, bytes);
    Line& line = line_at(at);
    line.load = static_cast<std::uint8_t>(line.load | 1u << (at >> kSectorBits & 3));
    lines += line.last_request != request_ ? 1 : 0;
    line.last_request = request_;
  }
  totals_.load_lines += lines;
  totals_.load_passes += banks.passes();
  totals_.random_loads += lines > 16 ? 1 : 0;
}

void GlobalAccesses::find_pattern(Pattern& pattern, bool is_store, std::uint64_t from, const std::uint64_t* address,
                                  std::uint32_t bytes, Mask mask) {
  LinesOfRequest lines;
  Banks banks;
  for (Mask m = is_store ? 0 : mask; m != 0; m &= m - 1) banks.add(address[__builtin_ctz(m)], bytes);
  pattern.passes = banks.passes();
  // Most lanes touch what the one before touches, or what follows that.
  std::uint64_t begin = address[__builtin_ctz(mask)], end = begin + bytes;
  for (Mask m = mask & (mask - 1); m != 0; m &= m - 1) {
    const std::uint64_t next = address[__builtin_ctz(m)];
    if (next + bytes == end) continue;
    if (next == end) {
      end += bytes;
      continue;
    }
    lines.add(is_store, begin, end);
    begin = next;
    end = next + bytes;
  }
  lines.add(is_store, begin, end);
  pattern.phase = static_cast<std::uint32_t>(from % kBytesOfALine);
  pattern.lines = pattern.whole_sectors = pattern.partial_sectors = 0;
  lines.for_each([&](const LinesOfRequest::Line& line) {
    const unsigned whole = whole_sectors(line);
    pattern.whole_sectors = static_cast<std::uint8_t>(pattern.whole_sectors + whole);
    pattern.partial_sectors = static_cast<std::uint8_t>(
        pattern.partial_sectors + static_cast<unsigned>(__builtin_popcount(line.sectors)) - whole);
    pattern.sectors[pattern.lines] = static_cast<std::uint8_t>(line.sectors);
    pattern.distance[pattern.lines++] = static_cast<std::int64_t>(line.number - from / kBytesOfALine);
  });
}

void GlobalAccesses::apart(bool is_store, std::uint64_t from, const Pattern& pattern) {
  for (unsigned i = 0; i < pattern.lines; ++i) {
    Line& line = line_at((from / kBytesOfALine + static_cast<std::uint64_t>(pattern.distance[i])) * kBytesOfALine);
    std::uint8_t& touched = is_store ? line.store : line.load;
    touched = static_cast<std::uint8_t>(touched | pattern.sectors[i]);
    if (is_sampled())
      sink->add(from / kBytesOfALine + static_cast<std::uint64_t>(pattern.distance[i]), pattern.sectors[i],
                is_store ? Traffic::store : Traffic::load);
  }
  if (is_sampled()) sink->end_request();
  if (is_store) {
    totals_.store_lines += pattern.lines;
    totals_.whole_sectors += pattern.whole_sectors;
    totals_.partial_sectors += pattern.partial_sectors;
  } else {
    totals_.load_lines += pattern.lines;
    totals_.load_passes += pattern.passes;
    totals_.random_loads += pattern.lines > 16 ? 1 : 0;
  }
}

void GlobalAccesses::update(std::uint64_t address) {
  Line& line = line_at(address);
  const unsigned sector = 1u << (address >> kSectorBits & 3);
  line.load = static_cast<std::uint8_t>(line.load | sector);
  line.store = static_cast<std::uint8_t>(line.store | sector);
}

void GlobalAccesses::add(const GlobalAccesses& other) {
  totals_.load_lines += other.totals_.load_lines;
  totals_.store_lines += other.totals_.store_lines;
  totals_.load_passes += other.totals_.load_passes;
  totals_.whole_sectors += other.totals_.whole_sectors;
  totals_.partial_sectors += other.totals_.partial_sectors;
  totals_.random_loads += other.totals_.random_loads;
  other.lines_.for_each([this](std::uint64_t address, const Lines& part) {
    Lines& sum = lines_.at(address);
    for (std::size_t i = 0; i < Lines::kCount; ++i) {
      sum.of[i].load = static_cast<std::uint8_t>(sum.of[i].load | part.of[i].load);
      sum.of[i].store = static_cast<std::uint8_t>(sum.of[i].store | part.of[i].store);
    }
  });
}

GlobalAccesses::Totals GlobalAccesses::totals() const {
  Totals totals = totals_;
  lines_.for_each([&totals](std::uint64_t, const Lines& part) {
    for (const Line& line : part.of) {
      totals.load_footprint += bits_of(line.load);
      totals.store_footprint += bits_of(line.store);
    }
  });
  return totals;
}

std::uint64_t GlobalAccesses::footprint() const {
  std::uint64_t sum = 0;
  lines_.for_each([&sum](std::uint64_t, const Lines& part) {
    for (const Line& line : part.of) sum += bits_of(line.load | line.store);
  });
  return sum;
}

std::uint64_t GlobalAccesses::fetched(const GlobalAccesses* before) const {
  constexpr unsigned kFirstOfTwo = 0b0101;
  const auto pairs = [](unsigned sectors) { return (sectors | sectors >> 1) & kFirstOfTwo; };
  std::uint64_t sum = 0;
  lines_.for_each([&](std::uint64_t address, const Lines& part) {
    const Lines* const earlier = before != nullptr ? before->lines_.find(address) : nullptr;
    for (std::size_t i = 0; i < Lines::kCount; ++i) {
      const unsigned there = earlier != nullptr ? pairs(earlier->of[i].load | earlier->of[i].store) : 0;
      sum += 2 * bits_of(pairs(part.of[i].load) & ~there);
    }
  });
  return sum;
}

}  // namespace cudasim
