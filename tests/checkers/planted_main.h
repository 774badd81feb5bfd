// SPDX-License-Identifier: MIT
// The command line of a program that holds all planted bugs of a folder, and their repaired twins.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>

#include "planted.h"

struct Planted {
  const char* name;
  int (*bug)();
  int (*repaired)();
};

/// Runs the one that the command line names: `check-memory past_the_end bug`. Anything else: status 2, and what there
/// is.
template <std::size_t size>
int run_planted(const Planted (&all)[size], int count, char** words) {
  for (const Planted& planted : all) {
    if (count != 3 || std::strcmp(words[1], planted.name) != 0) continue;
    if (std::strcmp(words[2], "bug") == 0) return planted.bug();
    if (std::strcmp(words[2], "repaired") == 0) return planted.repaired();
  }
  std::fprintf(stderr, "usage: %s NAME bug|repaired, with NAME one of\n", words[0]);
  for (const Planted& planted : all) std::fprintf(stderr, "  %s\n", planted.name);
  return 2;
}
