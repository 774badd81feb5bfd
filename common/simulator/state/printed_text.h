// SPDX-License-Identifier: MIT
// What printf writes in the kernels of a launch. CUDA keeps it in a buffer of cudaLimitPrintfFifoSize bytes, by default
// 1 MiB, until the host waits for the kernel. Later text takes the place of the oldest text (CUDA C++ Programming
// Guide, "Formatted Output"). A kernel that runs for seconds shows its text earlier, up to twice as many bytes.
#pragma once

#include <algorithm>
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

  /// For a person who waits: the text so far. The first call gets all that is left; later ones get as many bytes again.
  /// What comes after these is kept for take().
  std::string take_early() {
    if (early_bytes_left_ == 0) return {};
    const bool is_first = !std::exchange(is_early_, true);
    std::string text = take();
    if (!is_first) early_bytes_left_ -= std::min(text.size(), early_bytes_left_);
    return text;
  }

  /// The text that is left. Where older text is lost, it begins with a line.
  std::string take() {
    drop_oldest();
    if (std::exchange(is_cut_, false)) text_.erase(0, text_.find('\n') == std::string::npos ? 0 : text_.find('\n') + 1);
    return std::exchange(text_, {});
  }

 private:
  void drop_oldest() {
    if (text_.size() <= most_bytes_) return;
    text_.erase(0, text_.size() - most_bytes_);
    is_cut_ = true;
  }
  std::size_t most_bytes_;
  std::size_t early_bytes_left_ = most_bytes_;
  bool is_early_ = false, is_cut_ = false;
  std::uint64_t written_ = 0;
  std::string text_;
};

}  // namespace cudasim
