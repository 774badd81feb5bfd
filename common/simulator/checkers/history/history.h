// SPDX-License-Identifier: MIT
// The history of one place of global memory (data provenance). It has the threads that wrote the place, in order, and
// what they had read before. For each value that they read, it also has the author. The history is kept only on request
// (CUDASIM_HISTORY). One worker then runs all blocks, in order.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/finding.h"

namespace cudasim {

/// The author of a value: a thread at a line of a kernel, or a call of the host.
struct Author {
  std::string kernel;  ///< as in the PTX; empty: it was `call`
  std::string call;
  SourceLine where;
  std::array<std::uint32_t, 3> block{}, thread{};
};

struct PastRead {
  SourceLine where;
  std::string place;             ///< "element 3 of the 32 floats (128 bytes) of the shared array 'values'".
  std::string value;             ///< As text.
  CallStack allocated{};         ///< The host's call that made the allocation.
  std::optional<Author> author;  ///< The author of that value; none: no author is known.
};

struct PastWrite {
  enum class Kind : std::uint8_t { store, atomic, call, refused };
  Kind kind = Kind::store;
  Author author;
  std::string before, after;  ///< values as text; empty for a call, and for a refused access
  std::vector<PastRead> reads;
  std::uint64_t reads_left_out = 0;  ///< In their middle.
  std::uint32_t threads = 1;     ///< The threads of its warp that wrote by one instruction. The first is the author.
  bool has_shuffles = false;     ///< The kernel exchanges values between lanes: those are not among the reads.
  std::uint64_t call_bytes = 0;  ///< The bytes of the place that a call wrote.
};

class History {
 public:
  static constexpr std::size_t kMostReads = 4;      ///< Reads kept for each thread: the first ones and the last ones.
  static constexpr std::size_t kMostWrites = 1000;  ///< That are kept of the place.
  static constexpr std::size_t kMostAuthors = 1'000'000;  ///< The number that other places may have.
  static constexpr std::size_t kMostHostWrites = 4096;    ///< Rows.

  /// What a lane touches. `thread` is the thread's number in its block.
  struct Touch {
    bool is_shared = false;
    std::uint64_t block = 0;
    std::uint32_t thread = 0;
    std::uint32_t instruction = 0;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
  };
  struct Read {
    Touch touch;
    std::array<std::byte, 16> value{};
    std::uint32_t author = 0;  ///< author_of() gives it
  };

  History(std::uint64_t address, std::uint64_t bytes) : begin_(address), end_(address + bytes) {}
  bool is_watched(bool is_shared, std::uint64_t address, std::uint64_t bytes) const {
    return !is_shared && address < end_ && begin_ < address + bytes;
  }

  /// A launch has its own shared memory and its own list of what its threads have read.
  void begin_launch();
  void read(const Touch& touch, const std::byte* value);
  /// The first reads of this thread and its last ones, and how many lie between them.
  std::vector<Read> reads_of(const Touch& touch, std::uint64_t& left_out);
  /// Comes after a write, also to a place that is not watched.
  void set_author(const Touch& touch, const Author& author);
  const Author* author_of(std::uint32_t number) const { return number == 0 ? nullptr : &authors_[number - 1]; }
  void add(PastWrite write);
  /// A copy or a fill by the host.
  void host_wrote(const std::string& call, std::uint64_t address, std::uint64_t bytes);

  std::uint64_t begin() const { return begin_; }
  std::uint64_t bytes() const { return end_ - begin_; }
  const std::vector<PastWrite>& writes() const { return writes_; }
  std::uint64_t writes_left_out() const { return writes_left_out_; }
  /// Whether the author of each value is known, at every place.
  bool is_complete() const { return authors_.size() < kMostAuthors && host_writes_.size() < kMostHostWrites; }

 private:
  struct HostWrite {
    std::uint64_t begin, end;
    std::uint32_t author;
  };
  struct ReadsOfThread {
    std::vector<Read> first;
    std::deque<Read> last;
    std::uint64_t left_out = 0;
  };
  std::uint32_t number_of(const Author& author);
  std::uint32_t last_author(bool is_shared, std::uint64_t block, std::uint64_t address) const;
  static std::uint64_t word_of(std::uint64_t block, std::uint64_t address) { return block << 32 | address / 4; }

  std::uint64_t begin_, end_;
  std::vector<PastWrite> writes_;
  std::uint64_t writes_left_out_ = 0;
  std::vector<Author> authors_;
  std::unordered_map<std::uint64_t, std::uint32_t> global_, shared_;  // by word: number of its author
  std::vector<HostWrite> host_writes_;
  std::unordered_map<std::uint64_t, ReadsOfThread> reads_;  // by block and thread
};

}  // namespace cudasim
