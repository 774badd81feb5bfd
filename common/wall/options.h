// SPDX-License-Identifier: MIT
// The command line of workbook-wall. Each part of the wall is asked for by name, so that a test can leave one out.
#pragma once

#include <sys/resource.h>

#include <string>
#include <utility>
#include <vector>

namespace wall {

struct Options {
  bool is_supervisor = false;                // --supervise: forks, and ends all that the command has started
  int status = -1;                           // --status FD: where to write what becomes of the command; not passed on
  long uid = -1;                             // --uid N: user and group of the command; only root can ask for it
  std::vector<std::string> cgroups;          // --cgroup FOLDER: the command joins it
  std::vector<int> descriptors;              // --keep FD: stays open, beside 0, 1 and 2
  bool keeps_all = false;                    // --keep-all: descriptors, for a command that starts workbook-wall again
  std::vector<std::pair<int, rlim_t>> most;  // --limit NAME=N
  bool has_landlock = false;                 // --landlock: only what is named next is in sight
  std::vector<std::string> read;             // --read PATH
  std::vector<std::string> write;            // --write PATH
  bool keeps_files = false;              // --keep-files: files can't be removed, so that their sizes can be added up
  bool has_filter = false;               // --filter: system calls
  std::string folder;                    // --folder PATH: where the command starts
  std::vector<std::string> environment;  // --env NAME=VALUE: all that the command finds in its environment
  std::vector<std::string> command;      // after --
};

/// Throws std::runtime_error with words for what it does not know.
Options parse(int count, char** words);

}  // namespace wall
