// SPDX-License-Identifier: MIT
#include "base/command_output.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>

namespace cudasim {

std::string output_of(const std::vector<std::string>& words, Output wanted, int most_seconds) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int kept = wanted == Output::standard ? 1 : 2;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], kept);
  posix_spawn_file_actions_addopen(&actions, 3 - kept, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(most_seconds);
  char bytes[4096];
  while (error == 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd waited{ends[0], POLLIN, 0};
    const int ready = left.count() <= 0 ? 0 : poll(&waited, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t count = ready > 0 ? read(ends[0], bytes, sizeof bytes) : -1;
    if (count < 0) {
      kill(child, SIGKILL);
      text.clear();
    }
    if (count <= 0) break;
    text.append(bytes, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  if (error == 0) waitpid(child, nullptr, 0);
  return text;
}

}  // namespace cudasim
