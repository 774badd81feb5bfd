// SPDX-License-Identifier: MIT
#include "wall/confine.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "wall/landlock.h"
#include "wall/system_calls.h"

namespace wall {
namespace {

constexpr int kMostCapabilities = 64;

void require(bool is_done, const std::string& what) {
  if (!is_done) {
    throw std::system_error(errno, std::generic_category(), what);
  }
}

void join(const std::string& cgroup) {
  const std::string list = cgroup + "/cgroup.procs";
  const int file = open(list.c_str(), O_WRONLY | O_CLOEXEC);
  require(file >= 0 && write(file, "0", 1) == 1, list);  // 0 is this process
  close(file);
}

/// Closes all from `begin` to `last`.
void close_between(int begin, unsigned last) {
  if (last < static_cast<unsigned>(begin) || syscall(SYS_close_range, begin, last, 0) == 0) return;
  const auto most = std::min<unsigned long>(last, static_cast<unsigned long>(sysconf(_SC_OPEN_MAX)));
  for (int each = begin; static_cast<unsigned long>(each) <= most; ++each) close(each);  // Linux before 5.9
}

void close_all_but(std::vector<int> kept) {
  std::sort(kept.begin(), kept.end());
  int begin = STDERR_FILENO + 1;
  for (const int each : kept) {
    if (each < begin) continue;
    close_between(begin, static_cast<unsigned>(each) - 1);
    begin = each + 1;
  }
  close_between(begin, ~0u);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> found;
  found.reserve(words.size() + 1);
  for (const std::string& word : words) {
    found.push_back(const_cast<char*>(word.c_str()));
  }
  found.push_back(nullptr);
  return found;
}

void forget_signals() {
  for (int number = 1; number < NSIG; ++number) {
    signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

void tell(int status, const std::string& line) {
  if (status >= 0) {
    const std::string text = line + "\n";
    (void)!write(status, text.data(), text.size());
  }
}

void become_user(long uid) {
  const auto number = static_cast<unsigned>(uid);
  for (int capability = 0; capability < kMostCapabilities; ++capability) {
    prctl(PR_CAPBSET_DROP, capability);  // those that the kernel does not know fail
  }
  require(setgroups(0, nullptr) == 0, "setgroups");
  require(setresgid(number, number, number) == 0, "the group " + std::to_string(uid));
  require(setresuid(number, number, number) == 0, "the user " + std::to_string(uid));
  require(setuid(0) != 0, "root is there again after the change of the user");
}

void become_command(const Options& options) {
  setsid();  // fails where a program in between has done it
  for (const std::string& cgroup : options.cgroups) {
    join(cgroup);
  }
  if (options.uid >= 0) {
    become_user(options.uid);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
  if (!options.keeps_all) {
    std::vector<int> kept = options.descriptors;
    kept.push_back(options.status);
    close_all_but(kept);
    fcntl(options.status, F_SETFD, FD_CLOEXEC);
  }
  if (!options.folder.empty()) {
    require(chdir(options.folder.c_str()) == 0, options.folder);
  }
  umask(S_IRWXG | S_IRWXO);
  forget_signals();
  for (const auto& [resource, most] : options.most) {
    const rlimit limit = {most, most};
    require(setrlimit(static_cast<decltype(RLIMIT_CPU)>(resource), &limit) == 0, "limit " + std::to_string(resource));
  }
  std::vector<char*> command = pointers(options.command), environment = pointers(options.environment);
  if (options.has_landlock) {
    restrict_files(options.read, options.write, options.keeps_files);
  }
  if (options.has_filter) {
    filter_system_calls();
  }
  if (!options.keeps_all) {
    tell(options.status, "started");
  }
  execve(command[0], command.data(), environment.data());
  throw std::system_error(errno, std::generic_category(), options.command[0]);
}

}  // namespace wall
