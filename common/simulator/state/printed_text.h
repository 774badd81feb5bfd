// SPDX-License-Identifier: MIT
// What printf writes in the kernels of a launch. CUDA keeps it in a buffer of cudaLimitPrintfFifoSize bytes, by default
// 1 MiB, until the host waits for the kernel. Later text takes the place of the oldest text (CUDA C++ Programming
// Guide, "Formatted Output").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace cudasim {

class PrintedText {
 public:
  explicit PrintedText(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  void add(const std::string& text) {
    written_ += text.size();
    text_ += text;
    if (text_.size() >= 2 * most_bytes_ + text.size()) drop_oldest();
  }
  bool has_lost() const { return written_ > most_bytes_; }
  std::uint64_t written() const { return written_; }

  /// The text that is left, from the begin of a line on.
  std::string take() {
    drop_oldest();
    const bool is_cut = written_ > text_.size();
    if (is_cut) text_.erase(0, text_.find('\n') == std::string::npos ? 0 : text_.find('\n') + 1);
    return std::exchange(text_, {});
  }

 private:
  void drop_oldest() {
    if (text_.size() > most_bytes_) text_.erase(0, text_.size() - most_bytes_);
  }
  std::size_t most_bytes_;
  std::uint64_t written_ = 0;
  std::string text_;
};

}  // namespace cudasim
