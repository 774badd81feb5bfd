// SPDX-License-Identifier: MIT
#include "checkers/race/shadow/shared_epoch.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cudasim {
namespace {

constexpr std::uint32_t bytes_of_word = 4, words_per_line = 32, bytes_of_line = bytes_of_word * words_per_line;

constexpr std::uint8_t pattern_of(unsigned shift, unsigned first) {
  return static_cast<std::uint8_t>(shift << 5 | first % warp_size);
}

}  // namespace

Shape::Shape(const std::uint32_t* offset, std::uint32_t bytes_) : bytes(bytes_) {
  span.least = span.most = span.bits = 0;
  std::memcpy(span.offset, offset, sizeof span.offset);
  for (const std::uint32_t o : span.offset) {
    span.most = std::max<std::uint64_t>(span.most, o);
    span.bits |= o;
  }
  const std::uint64_t extent = (span.most + bytes + bytes_of_line - 1) / bytes_of_line;
  if (extent > most_lines) return;
  lines = static_cast<std::uint32_t>(extent);
  for (const std::uint32_t o : span.offset) {
    for (std::uint32_t w = o / bytes_of_word; w < (o + bytes) / bytes_of_word; ++w) {
      std::uint32_t& line = words[w / words_per_line];
      collides |= (line >> w % words_per_line & 1) != 0;
      line |= 1u << w % words_per_line;
    }
  }
  patterns.fill(any_pattern);
  for (unsigned begin = 0; begin < words_per_line && !collides; ++begin) {
    for (unsigned shift = 0; shift <= 5 && patterns[begin] == any_pattern; ++shift) {
      const auto first_of = [&](unsigned lane, std::uint32_t byte) {
        return (lane - ((begin + (span.offset[lane] + byte) / bytes_of_word) >> shift)) % warp_size;
      };
      bool fits = true;
      for (unsigned lane = 0; lane < warp_size; ++lane)
        fits &= first_of(lane, 0) == first_of(0, 0) && first_of(lane, bytes - bytes_of_word) == first_of(0, 0);
      if (fits) patterns[begin] = pattern_of(shift, first_of(0, 0));
    }
  }
}

std::uint8_t Shape::pattern_at(std::uint32_t begin) const {
  const std::uint8_t pattern = patterns[begin % words_per_line];
  if (pattern == any_pattern) return pattern;
  const unsigned shift = pattern >> 5;
  return pattern_of(shift, pattern - ((begin - begin % words_per_line) >> shift));
}

bool Shape::is_of(const std::uint32_t* offset, std::uint32_t bytes_) const {
  return bytes == bytes_ && std::memcmp(span.offset, offset, sizeof span.offset) == 0;
}

void SharedPhase::begin_block(std::uint32_t shared_bytes) {
  lines_.resize(std::max<std::size_t>(lines_.size(), shared_bytes / bytes_of_line + 1));
  forget();
}

void SharedPhase::forget() {
  ++phase_;
  notes_.clear();
  used_for_once_ = 0;
}

/// Whether the access comes after nothing in this line that it could race with. It may follow accesses of others to
/// other words, or reads when both are reads. It may also follow those of its own warp, by the same lane each, or
/// before a __syncwarp. The line keeps each touched word until the barrier. It keeps the warp only while there is one.
inline bool SharedPhase::passes(Line& line, const Note& now, std::uint32_t words, std::uint8_t pattern) const {
  const std::uint32_t read = now.is_store ? 0 : words, written = now.is_store ? words : 0;
  if (line.phase != phase_) {
    line = {
        phase_,  read, written, read, written, line.turn, line.touched, now.now, static_cast<std::uint16_t>(now.warp),
        pattern, true};
    return true;
  }
  const bool own = line.warp == now.warp, ordered = own && line.clock <= now.lanes;
  if (ordered) line.fresh_read = line.fresh_written = 0;
  const std::uint32_t earlier_read = own ? line.fresh_read : line.read;
  const std::uint32_t earlier_written = own ? line.fresh_written : line.written;
  const bool same_lanes = own && line.pattern == pattern && pattern != Shape::any_pattern;
  if (((earlier_written | (earlier_read & written)) & words) != 0 && !same_lanes) return false;
  line.read |= read;
  line.written |= written;
  line.fresh_read |= read;
  line.fresh_written |= written;
  line.clock = now.now;
  line.noted = true;
  if (!own) line.warp = many;
  if (ordered) {
    line.pattern = pattern;
  } else if (line.pattern != pattern) {
    line.pattern = Shape::any_pattern;
  }
  return true;
}

bool SharedPhase::note(const Note& now, const Shape& shape) {
  if (shape.lines == 0 || (now.is_store && shape.collides)) return false;
  const std::uint32_t begin = now.begin / bytes_of_word, shift = begin % words_per_line;
  const std::uint8_t pattern = shape.pattern_at(begin);
  Line* line = lines_.data() + begin / words_per_line;
  std::uint64_t words = 0;
  for (std::uint32_t i = 0; i < shape.lines; ++i, ++line) {
    words |= std::uint64_t{shape.words[i]} << shift;
    const auto here = static_cast<std::uint32_t>(words);
    if (here != 0 && !passes(*line, now, here, pattern)) return false;
    words >>= words_per_line;
  }
  if (words != 0 && !passes(*line, now, static_cast<std::uint32_t>(words), pattern)) return false;
  keep(now);
  return true;
}

void SharedPhase::keep(const Note& now) {
  std::uint16_t& last = last_[(now.instruction + now.warp * 61) % last_.size()];
  if (last < notes_.size() && notes_[last].note.is_again(now)) {
    notes_[last].last = ++time_;
    return;
  }
  last = static_cast<std::uint16_t>(notes_.size());
  ++time_;
  notes_.push_back({now, time_, time_});
}

bool SharedPhase::note_once(Note now) {
  const Span& span = *now.span;
  if (is_full() || now.begin + span.most + now.bytes > lines_.size() * bytes_of_line) return false;
  Line* touched[2 * warp_size];  // a lane's bytes are 32 at most
  unsigned count = 0;
  ++turn_;
  for (Mask m = now.mask; m != 0; m &= m - 1) {
    const std::uint32_t begin = (now.begin + span.offset[__builtin_ctz(m)]) / bytes_of_word;
    for (std::uint32_t word = begin; word < begin + now.bytes / bytes_of_word; ++word) {
      Line& line = lines_[word / words_per_line];
      if (line.turn != turn_) {
        line.turn = turn_;
        line.touched = 0;
        touched[count++] = &line;
      }
      const std::uint32_t bit = 1u << word % words_per_line;
      if (now.is_store && (line.touched & bit) != 0) return false;  // two lanes at one word
      line.touched |= bit;
    }
  }
  for (unsigned i = 0; i < count; ++i) {
    if (!passes(*touched[i], now, touched[i]->touched, Shape::any_pattern)) return false;
  }
  if (used_for_once_ == for_once_.size()) for_once_.emplace_back();
  Span& kept = for_once_[used_for_once_++] = span;
  now.span = &kept;
  keep(now);
  return true;
}

bool SharedPhase::give_up(std::uint64_t begin, std::uint64_t end) {
  bool noted = false;
  for (std::uint64_t l = begin / bytes_of_line; l * bytes_of_line < end && l < lines_.size(); ++l) {
    Line& line = lines_[l];
    noted |= line.phase == phase_ && line.noted;
    line = {phase_, ~0u, ~0u, ~0u, ~0u, line.turn, line.touched, 0, many, Shape::any_pattern, false};
  }
  return noted;
}

std::vector<SharedPhase::Note> SharedPhase::take() {
  std::vector<std::pair<std::uint64_t, const Note*>> order;
  for (const Timed& timed : notes_) {
    order.emplace_back(timed.first, &timed.note);
    if (timed.last != timed.first) order.emplace_back(timed.last, &timed.note);
  }
  std::sort(order.begin(), order.end());
  std::vector<Note> result;
  result.reserve(order.size());
  for (const auto& [time, note] : order) result.push_back(*note);
  notes_.clear();
  used_for_once_ = 0;
  return result;
}

}  // namespace cudasim
