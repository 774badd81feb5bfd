// SPDX-License-Identifier: MIT
#include "checkers/race/shadow/shared_epoch.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cudasim {
namespace {

constexpr std::uint32_t kBytesOfWord = 4, kWordsPerLine = 32, kBytesOfLine = kBytesOfWord * kWordsPerLine;

constexpr std::uint8_t pattern_of(unsigned shift, unsigned first) {
  return static_cast<std::uint8_t>(shift << 5 | first % kWarpSize);
}

}  // namespace

Shape::Shape(const std::uint32_t* offset, std::uint32_t bytes_) : bytes(bytes_) {
  span.least = span.most = span.bits = 0;
  std::memcpy(span.offset, offset, sizeof span.offset);
  for (const std::uint32_t o : span.offset) {
    span.most = std::max<std::uint64_t>(span.most, o);
    span.bits |= o;
  }
  const std::uint64_t extent = (span.most + bytes + kBytesOfLine - 1) / kBytesOfLine;
  if (extent > kMostLines) return;
  lines = static_cast<std::uint32_t>(extent);
  for (const std::uint32_t o : span.offset) {
    for (std::uint32_t w = o / kBytesOfWord; w < (o + bytes) / kBytesOfWord; ++w) {
      std::uint32_t& line = words[w / kWordsPerLine];
      collides |= (line >> w % kWordsPerLine & 1) != 0;
      line |= 1u << w % kWordsPerLine;
    }
  }
  patterns.fill(kAnyPattern);
  for (unsigned begin = 0; begin < kWordsPerLine && !collides; ++begin) {
    for (unsigned shift = 0; shift <= 5 && patterns[begin] == kAnyPattern; ++shift) {
      const auto first_of = [&](unsigned lane, std::uint32_t byte) {
        return (lane - ((begin + (span.offset[lane] + byte) / kBytesOfWord) >> shift)) % kWarpSize;
      };
      bool fits = true;
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        fits &= first_of(lane, 0) == first_of(0, 0) && first_of(lane, bytes - kBytesOfWord) == first_of(0, 0);
      if (fits) patterns[begin] = pattern_of(shift, first_of(0, 0));
    }
  }
}

std::uint8_t Shape::pattern_at(std::uint32_t begin) const {
  const std::uint8_t pattern = patterns[begin % kWordsPerLine];
  if (pattern == kAnyPattern) return pattern;
  const unsigned shift = pattern >> 5;
  return pattern_of(shift, pattern - ((begin - begin % kWordsPerLine) >> shift));
}

bool Shape::is_of(const std::uint32_t* offset, std::uint32_t bytes_) const {
  return bytes == bytes_ && std::memcmp(span.offset, offset, sizeof span.offset) == 0;
}

void SharedEpoch::begin_block(std::uint32_t shared_bytes) {
  lines_.resize(std::max<std::size_t>(lines_.size(), shared_bytes / kBytesOfLine + 1));
  forget();
}

void SharedEpoch::forget() {
  ++epoch_;
  notes_.clear();
  used_for_once_ = 0;
}

/// Whether the access comes after nothing in this line that it could race with. It may follow accesses of others to
/// other words, or reads when both are reads. It may also follow those of its own warp, by the same lane each, or
/// before a __syncwarp. The line keeps each touched word until the barrier. It keeps the warp only while there is one.
inline bool SharedEpoch::passes(Line& line, const EpochNote& now, std::uint32_t words, std::uint8_t pattern) const {
  const std::uint32_t read = now.is_store ? 0 : words, written = now.is_store ? words : 0;
  if (line.epoch != epoch_) {
    line = {
        epoch_,  read, written, read, written, line.turn, line.touched, now.now, static_cast<std::uint16_t>(now.warp),
        pattern, true};
    return true;
  }
  const bool own = line.warp == now.warp, ordered = own && line.clock <= now.lanes;
  if (ordered) line.fresh_read = line.fresh_written = 0;
  const std::uint32_t earlier_read = own ? line.fresh_read : line.read;
  const std::uint32_t earlier_written = own ? line.fresh_written : line.written;
  const bool same_lanes = own && line.pattern == pattern && pattern != Shape::kAnyPattern;
  if (((earlier_written | (earlier_read & written)) & words) != 0 && !same_lanes) return false;
  line.read |= read;
  line.written |= written;
  line.fresh_read |= read;
  line.fresh_written |= written;
  line.clock = now.now;
  line.noted = true;
  if (!own) line.warp = kMany;
  if (ordered) {
    line.pattern = pattern;
  } else if (line.pattern != pattern) {
    line.pattern = Shape::kAnyPattern;
  }
  return true;
}

bool SharedEpoch::note(const EpochNote& now, const Shape& shape) {
  if (shape.lines == 0 || (now.is_store && shape.collides)) return false;
  const std::uint32_t begin = now.begin / kBytesOfWord, shift = begin % kWordsPerLine;
  const std::uint8_t pattern = shape.pattern_at(begin);
  Line* line = lines_.data() + begin / kWordsPerLine;
  std::uint64_t words = 0;
  for (std::uint32_t i = 0; i < shape.lines; ++i, ++line) {
    words |= std::uint64_t{shape.words[i]} << shift;
    const auto here = static_cast<std::uint32_t>(words);
    if (here != 0 && !passes(*line, now, here, pattern)) return false;
    words >>= kWordsPerLine;
  }
  if (words != 0 && !passes(*line, now, static_cast<std::uint32_t>(words), pattern)) return false;
  keep(now);
  return true;
}

void SharedEpoch::keep(const EpochNote& now) {
  std::uint16_t& last = last_[(now.instruction + now.warp * 61) % last_.size()];
  if (last < notes_.size() && notes_[last].note.is_again(now)) {
    notes_[last].last = ++time_;
    return;
  }
  last = static_cast<std::uint16_t>(notes_.size());
  ++time_;
  notes_.push_back({now, time_, time_});
}

bool SharedEpoch::note_once(EpochNote now) {
  const Span& span = *now.span;
  if (is_full() || now.begin + span.most + now.bytes > lines_.size() * kBytesOfLine) return false;
  Line* touched[2 * kWarpSize];  // a lane's bytes are 32 at most
  unsigned count = 0;
  ++turn_;
  for (Mask m = now.mask; m != 0; m &= m - 1) {
    const std::uint32_t begin = (now.begin + span.offset[__builtin_ctz(m)]) / kBytesOfWord;
    for (std::uint32_t word = begin; word < begin + now.bytes / kBytesOfWord; ++word) {
      Line& line = lines_[word / kWordsPerLine];
      if (line.turn != turn_) {
        line.turn = turn_;
        line.touched = 0;
        touched[count++] = &line;
      }
      const std::uint32_t bit = 1u << word % kWordsPerLine;
      if (now.is_store && (line.touched & bit) != 0) return false;  // two lanes at one word
      line.touched |= bit;
    }
  }
  for (unsigned i = 0; i < count; ++i) {
    if (!passes(*touched[i], now, touched[i]->touched, Shape::kAnyPattern)) return false;
  }
  if (used_for_once_ == for_once_.size()) for_once_.emplace_back();
  Span& kept = for_once_[used_for_once_++] = span;
  now.span = &kept;
  keep(now);
  return true;
}

bool SharedEpoch::give_up(std::uint64_t begin, std::uint64_t end) {
  bool noted = false;
  for (std::uint64_t l = begin / kBytesOfLine; l * kBytesOfLine < end && l < lines_.size(); ++l) {
    Line& line = lines_[l];
    noted |= line.epoch == epoch_ && line.noted;
    line = {epoch_, ~0u, ~0u, ~0u, ~0u, line.turn, line.touched, 0, kMany, Shape::kAnyPattern, false};
  }
  return noted;
}

std::vector<SharedEpoch::EpochNote> SharedEpoch::take() {
  std::vector<std::pair<std::uint64_t, const EpochNote*>> order;
  for (const Timed& timed : notes_) {
    order.emplace_back(timed.first, &timed.note);
    if (timed.last != timed.first) order.emplace_back(timed.last, &timed.note);
  }
  std::sort(order.begin(), order.end());
  std::vector<EpochNote> result;
  result.reserve(order.size());
  for (const auto& [time, note] : order) result.push_back(*note);
  notes_.clear();
  used_for_once_ = 0;
  return result;
}

}  // namespace cudasim
