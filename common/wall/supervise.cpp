// SPDX-License-Identifier: MIT
#include "wall/supervise.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <system_error>

#include "wall/confine.h"

namespace wall {
namespace {

constexpr int kSignalled = 128;  // plus the signal's number, as in shells
constexpr int kWallFailed = 125;
constexpr int kPauseUs = 200, kMostTries = 25000;  // five seconds

int status_of(int waited) { return WIFEXITED(waited) ? WEXITSTATUS(waited) : kSignalled + WTERMSIG(waited); }

/// One call reaches all processes of the user, in whatever session. A process in the middle of fork() gets it too.
void kill_user(long uid) {
  const pid_t killer = fork();
  if (killer == 0) {
    try {
      become_user(uid);
      kill(-1, SIGKILL);
    } catch (const std::exception&) {  // end_all() then finds that something is left
    }
    _exit(0);
  }
  waitpid(killer, nullptr, 0);
}

/// Orphans become children of this process (PR_SET_CHILD_SUBREAPER), so the next look finds them here.
void kill_children() {
  const std::string self = std::to_string(getpid());
  std::ifstream list("/proc/" + self + "/task/" + self + "/children");
  pid_t child = 0;
  while (list >> child) {
    kill(child, SIGKILL);
  }
}

/// Whether nothing is left.
bool end_all(const Options& options) {
  for (int tries = 0; tries < kMostTries; ++tries) {
    if (options.uid >= 0) {
      kill_user(options.uid);
    }
    kill_children();
    pid_t ended = 0;
    while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0) {  // there is no child
      return true;
    }
    usleep(kPauseUs);
  }
  return false;
}

}  // namespace

int supervise(const Options& options) {
  prctl(PR_SET_DUMPABLE, 0);  // a process of the same user can't read or change this one
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
    throw std::system_error(errno, std::generic_category(), "subreaper");
  }
  sigset_t heard;
  sigemptyset(&heard);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) {
    sigaddset(&heard, number);
  }
  sigprocmask(SIG_BLOCK, &heard, nullptr);
  const pid_t command = fork();
  if (command < 0) {
    throw std::system_error(errno, std::generic_category(), "fork");
  }
  if (command == 0) {
    try {
      become_command(options);
    } catch (const std::exception& error) {
      tell(options.status, std::string("error ") + error.what());
      _exit(kWallFailed);
    }
  }
  int status = kSignalled + SIGKILL;
  bool has_ended = false;
  while (!has_ended) {
    if (sigwaitinfo(&heard, nullptr) != SIGCHLD) {
      break;
    }
    int waited = 0;
    for (pid_t each = 0; (each = waitpid(-1, &waited, WNOHANG)) > 0;) {
      if (each == command) {
        status = status_of(waited);
        has_ended = true;
      }
    }
  }
  if (!end_all(options)) {
    tell(options.status, "error something of the command can't be ended");
  }
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const long long cpu_us =
      1000000LL * (used.ru_utime.tv_sec + used.ru_stime.tv_sec) + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
  tell(options.status,
       "ended " + std::to_string(status) + " " + std::to_string(cpu_us) + " " + std::to_string(used.ru_maxrss));
  return status;
}

}  // namespace wall
