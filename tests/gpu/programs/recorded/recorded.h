// SPDX-License-Identifier: MIT
// For programs that print what calls return, cases by name: `NAME CASE` runs one, and without CASE they are listed. The
// script recorded_results.py compares with what an H200 printed.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>

#define SHOW(call) std::printf("%s = %d\n", #call, static_cast<int>(call))
#define VALUE(expression) std::printf("%s: %lld\n", #expression, static_cast<long long>(expression))

struct Case {
  const char* name;
  void (*run)();
};

template <std::size_t n>
int run_case(const Case (&cases)[n], int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);  // what was printed before a crash is seen
  for (const Case& each : cases) {
    if (argc == 1) std::printf("%s\n", each.name);
    if (argc == 2 && std::strcmp(argv[1], each.name) == 0) each.run();
  }
  return 0;
}
