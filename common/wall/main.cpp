// SPDX-License-Identifier: MIT
// workbook-wall: starts a program of a student behind a wall. scripts/workbook_lib/grade/wall says what the wall is,
// and writes this program's command line. It links nothing but the C++ library, as it runs with root's rights.
#include <cstdio>
#include <exception>

#include "wall/confine.h"
#include "wall/options.h"
#include "wall/supervise.h"

namespace {
constexpr int kWallFailed = 125;
}

int main(int count, char** words) {
  wall::Options options;
  try {
    options = wall::parse(count, words);
    if (options.is_supervisor) {
      return wall::supervise(options);
    }
    wall::become_command(options);
  } catch (const std::exception& error) {
    wall::tell(options.status, std::string("error ") + error.what());
    std::fprintf(stderr, "workbook-wall: %s\n", error.what());
    return kWallFailed;
  }
}
