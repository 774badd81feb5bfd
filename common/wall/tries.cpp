// SPDX-License-Identifier: MIT
// workbook-wall-tries: does what a wall must prevent, and prints what worked. scripts/workbook_lib/grade/wall/probe.py
// starts it behind a wall, with targets outside. Each try is a process of its own, as the wall may kill it.
//
// Usage: workbook-wall-tries NAME=VALUE...   all tries with these targets
//        workbook-wall-tries memory BYTES | files BYTES | daemon WORD   one try that the wall ends, or that outlives
//        the run
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

std::map<std::string, std::string> targets;

const char* target(const char* name) { return targets[name].c_str(); }
int number(const char* name) { return std::atoi(target(name)); }

bool can_open(const std::string& path, int flags) { return open(path.c_str(), flags, S_IRUSR | S_IWUSR) >= 0; }

bool can_connect(const sockaddr* address, socklen_t bytes, int type) {
  const int made = socket(address->sa_family, type, 0);
  return made >= 0 && connect(made, address, bytes) == 0 && (type == SOCK_STREAM || send(made, "x", 1, 0) == 1);
}

bool can_reach_port(int type, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return can_connect(reinterpret_cast<sockaddr*>(&address), sizeof address, type);
}

/// A path, or an abstract name that begins with '@'.
bool can_reach_socket(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, name.data(), name.size());
  if (address.sun_path[0] == '@') {
    address.sun_path[0] = '\0';
  }
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  return can_connect(reinterpret_cast<sockaddr*>(&address), bytes, SOCK_STREAM);
}

bool can_read_memory(pid_t process) {
  char byte = 0;
  static char other = 0;  // an address of this program, which the other one may not have: EFAULT says that it may look
  const iovec here = {&byte, 1}, there = {&other, 1};
  return process_vm_readv(process, &here, 1, &there, 1, 0) == 1 || errno == EFAULT;
}

bool can_make_namespace_by_clone() {
  const long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) {
    _exit(0);
  }
  return child > 0;
}

bool has_open_descriptor() {
  for (int each = STDERR_FILENO + 1; each < FD_SETSIZE; ++each) {
    if (fcntl(each, F_GETFD) != -1) {
      return true;
    }
  }
  return false;
}

bool has_foreign_variable() {
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string name = std::string(*each).substr(0, std::string(*each).find('='));
    if (name != "PATH" && name != "HOME" && name != "TMPDIR" && name != "LANG" && name != "PWD") {
      return true;
    }
  }
  return false;
}

bool can_make_more_processes(int most) {
  std::vector<pid_t> made;
  while (static_cast<int>(made.size()) <= most) {
    const pid_t child = fork();
    if (child < 0) {
      break;
    }
    if (child == 0) {
      pause();
      _exit(0);
    }
    made.push_back(child);
  }
  for (const pid_t each : made) {
    kill(each, SIGKILL);
  }
  return static_cast<int>(made.size()) > most;
}

bool can_open_more_files(int most) {
  int opened = 0;
  while (opened <= most && dup(STDERR_FILENO) >= 0) {
    ++opened;
  }
  return opened > most;
}

bool can_use_other_interface() {
#ifdef __x86_64__
  constexpr int kGetPid = 20;  // of the 32-bit interface, which the filter does not know
  int answer = kGetPid;
  asm volatile("int $0x80" : "+a"(answer) : : "memory");
  return answer > 0;
#else
  return false;
#endif
}

long perf_event() {
  perf_event_attr event{};
  event.type = PERF_TYPE_SOFTWARE;
  event.size = sizeof event;
  event.config = PERF_COUNT_SW_CPU_CLOCK;
  event.exclude_kernel = 1;
  return syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
}

long bpf_map() {
  bpf_attr map{};
  map.map_type = BPF_MAP_TYPE_ARRAY;
  map.key_size = 4;
  map.value_size = 4;
  map.max_entries = 1;
  return syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map);
}

using Try = std::function<bool()>;  // whether it worked

std::vector<std::pair<std::string, Try>> tries_of_files() {
  return {
      {"secret file", [] { return can_open(target("secret"), O_RDONLY); }},
      {"readable file", [] { return can_open(target("readable"), O_RDONLY); }},
      {"passwords", [] { return can_open("/etc/shadow", O_RDONLY); }},
      {"users", [] { return can_open("/etc/passwd", O_RDONLY); }},
      {"folder of the grader", [] { return can_open(target("folder"), O_RDONLY | O_DIRECTORY); }},
      {"new file outside", [] { return can_open(target("folder") + std::string("/new"), O_WRONLY | O_CREAT); }},
      {"writable file", [] { return can_open(target("writable"), O_WRONLY); }},
      {"cut file", [] { return truncate(target("writable"), 0) == 0; }},
      {"mode of a file", [] { return chmod(target("writable"), S_IRUSR) == 0; }},
      {"removed file", [] { return unlink(target("removable")) == 0; }},
      {"hard link",
       [] { return link(target("writable"), (std::string(std::getenv("TMPDIR")) + "/link").c_str()) == 0; }},
      {"foreign shared memory", [] { return can_open(target("shared"), O_RDONLY); }},
      {"new shared memory", [] { return can_open("/dev/shm/workbook-wall-tries", O_RDWR | O_CREAT); }},
      {"environment of process 1", [] { return can_open("/proc/1/environ", O_RDONLY); }},
      {"memory of the grader as a file", [] { return can_open("/proc/" + targets["grader"] + "/mem", O_RDWR); }},
      {"nameless file", [] { return can_open(std::getenv("TMPDIR"), O_TMPFILE | O_RDWR); }},
      {"device", [] { return can_open("/dev/zero", O_RDONLY); }},
  };
}

std::vector<std::pair<std::string, Try>> tries_of_processes() {
  return {
      {"memory of the grader", [] { return can_read_memory(number("grader")); }},
      {"tracing the grader", [] { return ptrace(PTRACE_SEIZE, number("grader"), nullptr, nullptr) == 0; }},
      {"limits of the grader",
       [] { return prlimit(number("grader"), RLIMIT_NOFILE, nullptr, nullptr) == 0 || errno == EFAULT; }},
      {"ending the grader's process", [] { return kill(number("victim"), SIGKILL) == 0; }},
      {"ending another user's process", [] { return kill(number("neighbour"), SIGKILL) == 0; }},
      {"tcp", [] { return can_reach_port(SOCK_STREAM, number("tcp")); }},
      {"udp", [] { return can_reach_port(SOCK_DGRAM, number("udp")); }},
      {"unix socket", [] { return can_reach_socket(targets["socket"]); }},
      {"abstract socket", [] { return can_reach_socket(targets["abstract"]); }},
      {"open descriptor", has_open_descriptor},
      {"foreign environment", has_foreign_variable},
      {"processes", [] { return can_make_more_processes(number("processes")); }},
      {"files", [] { return can_open_more_files(number("files")); }},
  };
}

std::vector<std::pair<std::string, Try>> tries_of_the_kernel() {
  return {
      {"memory as a file", [] { return memfd_create("x", 0) >= 0; }},
      {"shared memory segment", [] { return shmget(IPC_PRIVATE, 1 << 20, IPC_CREAT | S_IRUSR | S_IWUSR) >= 0; }},
      {"new namespace", [] { return unshare(CLONE_NEWUSER) == 0; }},
      {"new namespace by clone", can_make_namespace_by_clone},
      {"mount", [] { return mount("none", std::getenv("TMPDIR"), "tmpfs", 0, nullptr) == 0; }},
      {"becoming root", [] { return setuid(0) == 0; }},
      {"io_uring",
       [] {
         std::vector<char> parameters(256);
         return syscall(SYS_io_uring_setup, 1, parameters.data()) >= 0;
       }},
      {"userfaultfd", [] { return syscall(SYS_userfaultfd, 1 /* user mode only */) >= 0; }},
      {"bpf", [] { return bpf_map() >= 0; }},
      {"perf", [] { return perf_event() >= 0; }},
      {"keys", [] { return syscall(SYS_add_key, "user", "workbook", "x", 1, -2 /* the process's keyring */) >= 0; }},
      {"typing into a terminal",
       [] {
         char letter = 'x';
         return ioctl(STDIN_FILENO, TIOCSTI, &letter) == 0 || errno != EPERM;  // ENOTTY: the call was let through
       }},
      {"32-bit calls", can_use_other_interface},
  };
}

/// "held", or why the wall is said to have a hole.
std::string outcome(const Try& attempt) {
  const pid_t child = fork();
  if (child < 0) {
    return "no process for it";
  }
  if (child == 0) {
    alarm(10);
    _exit(attempt() ? 1 : 0);
  }
  int waited = 0;
  waitpid(child, &waited, 0);
  const bool is_refused = WIFEXITED(waited) ? WEXITSTATUS(waited) == 0 : WTERMSIG(waited) == SIGSYS;
  return is_refused ? "held" : WIFEXITED(waited) ? "it worked" : "ended by signal " + std::to_string(WTERMSIG(waited));
}

int use_memory(std::size_t bytes) {
  char* memory = static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (memory == MAP_FAILED) {
    return 0;
  }
  for (std::size_t i = 0; i < bytes; i += 4096) {
    memory[i] = 1;
  }
  sleep(2);  // where memory is watched
  return 1;
}

int fill_folder(std::size_t bytes) {
  const std::vector<char> piece(1 << 20, 'x');
  std::size_t written = 0;
  for (int i = 0; written < bytes; ++i) {
    const int file =
        open((std::string(std::getenv("TMPDIR")) + "/" + std::to_string(i)).c_str(), O_WRONLY | O_CREAT, S_IRUSR);
    if (file < 0 || write(file, piece.data(), piece.size()) != static_cast<ssize_t>(piece.size())) {
      return 0;
    }
    close(file);
    written += piece.size();
  }
  sleep(2);  // where the folder is watched
  return 1;
}

/// A process in a session of its own, without a parent.
int leave_daemon() {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        close(stream);
      }
      sleep(60);
    }
    _exit(0);
  }
  wait(nullptr);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const std::string first = count > 1 ? words[1] : "";
  if (first == "memory" || first == "files") {
    const std::size_t bytes = std::strtoull(words[2], nullptr, 10);
    return first == "memory" ? use_memory(bytes) : fill_folder(bytes);
  }
  if (first == "daemon") {
    return leave_daemon();
  }
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    targets[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  for (const auto& tries : {tries_of_files(), tries_of_processes(), tries_of_the_kernel()}) {
    for (const auto& [name, attempt] : tries) {
      std::printf("%s: %s\n", name.c_str(), outcome(attempt).c_str());
      std::fflush(stdout);
    }
  }
}
