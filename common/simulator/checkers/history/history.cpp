// SPDX-License-Identifier: MIT
// Tables by word of memory. Authors are numbered in the order of their writes, so a larger number means a later write.
#include "checkers/history/history.h"

#include <algorithm>
#include <cstring>

namespace cudasim {

void History::begin_launch() {
  shared_.clear();
  reads_.clear();
}

std::uint32_t History::number_of(const Author& author) {
  if (authors_.size() >= kMostAuthors) return 0;
  authors_.push_back(author);
  return static_cast<std::uint32_t>(authors_.size());
}

std::uint32_t History::last_author(bool is_shared, std::uint64_t block, std::uint64_t address) const {
  const auto& words = is_shared ? shared_ : global_;
  const auto found = words.find(word_of(is_shared ? block : 0, address));
  std::uint32_t author = found == words.end() ? 0 : found->second;
  for (const HostWrite& write : host_writes_) {
    if (!is_shared && address >= write.begin && address < write.end) author = std::max(author, write.author);
  }
  return author;
}

void History::read(const Touch& touch, const std::byte* value) {
  Read read{touch, {}, last_author(touch.is_shared, touch.block, touch.address)};
  std::memcpy(read.value.data(), value, std::min<std::size_t>(touch.bytes, read.value.size()));
  ReadsOfThread& reads = reads_[touch.block << 10 | touch.thread];
  if (reads.first.size() < kMostReads) {
    reads.first.push_back(read);
    return;
  }
  reads.last.push_back(read);
  if (reads.last.size() <= kMostReads) return;
  reads.last.pop_front();
  ++reads.left_out;
}

std::vector<History::Read> History::reads_of(const Touch& touch, std::uint64_t& left_out) {
  const ReadsOfThread& reads = reads_[touch.block << 10 | touch.thread];
  left_out = reads.left_out;
  std::vector<Read> all = reads.first;
  all.insert(all.end(), reads.last.begin(), reads.last.end());
  return all;
}

void History::set_author(const Touch& touch, const Author& author) {
  const std::uint32_t number = number_of(author);
  auto& words = touch.is_shared ? shared_ : global_;
  for (std::uint32_t i = 0; i < touch.bytes; i += 4) {
    words[word_of(touch.is_shared ? touch.block : 0, touch.address + i)] = number;
  }
}

void History::add(PastWrite write) {
  if (writes_.size() < kMostWrites) {
    writes_.push_back(std::move(write));
  } else {
    ++writes_left_out_;
  }
}

void History::host_wrote(const std::string& call, std::uint64_t address, std::uint64_t bytes) {
  Author author;
  author.call = call;
  if (host_writes_.size() < kMostHostWrites) host_writes_.push_back({address, address + bytes, number_of(author)});
  if (!is_watched(false, address, bytes)) return;
  PastWrite write;
  write.kind = PastWrite::Kind::call;
  write.author = author;
  write.call_bytes = std::min(end_, address + bytes) - std::max(begin_, address);
  add(std::move(write));
}

}  // namespace cudasim
