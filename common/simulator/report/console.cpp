// SPDX-License-Identifier: MIT
// Each call is one write, so that lines of several processes or threads are not mixed.
#include "report/console.h"

#include <cstdio>

namespace cudasim {

void print_from_kernel(const std::string& text) {
  if (text.empty()) return;
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void print_text(const std::string& text) {
  if (text.empty()) return;
  std::fflush(stdout);  // what the program printed before precedes it in a shared log
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void print_line(const std::string& line) { print_text("cudasim: " + line + "\n"); }

}  // namespace cudasim
