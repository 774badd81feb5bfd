// SPDX-License-Identifier: MIT
#include "wall/system_calls.h"

#include <asm/ioctls.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <vector>

#include "wall/system_call_lists.h"

namespace wall {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "workbook-wall knows the system calls of x86-64 and of 64-bit ARM"
#endif

constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM, kUnknown = SECCOMP_RET_ERRNO | ENOSYS;
constexpr std::uint32_t kX32 = 0x40000000;  // calls of x86-64's other interface
constexpr std::uint32_t kNamespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr std::uint32_t kNamelessFile = 0x400000;  // of O_TMPFILE: its size could not be added up

class Program {
 public:
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
  /// The low half of an argument. The kernel takes these arguments as int.
  void load_argument(unsigned index) { load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t)); }
  void end(std::uint32_t action) { add(BPF_RET | BPF_K, action); }
  void end_if_equal(std::uint32_t value, std::uint32_t action) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    end(action);
  }
  void end_unless_equal(std::uint32_t value, std::uint32_t action) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    end(action);
  }
  void end_if_any(std::uint32_t bits, std::uint32_t action) {
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    end(action);
  }
  void end_if_at_least(std::uint32_t value, std::uint32_t action) {
    add(BPF_JMP | BPF_JGE | BPF_K, value, 0, 1);
    end(action);
  }
  /// For this call alone: `rule` ends it with an action in all cases.
  template <typename Rule>
  void call(long number, Rule rule) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 0);
    const std::size_t jump = code_.size() - 1;
    rule();
    code_[jump].jf = static_cast<std::uint8_t>(code_.size() - 1 - jump);
  }
  sock_fprog get() { return {static_cast<unsigned short>(code_.size()), code_.data()}; }

 private:
  void add(int code, std::uint32_t value, std::uint8_t if_true = 0, std::uint8_t if_false = 0) {
    code_.push_back({static_cast<std::uint16_t>(code), if_true, if_false, value});
  }
  std::vector<sock_filter> code_;
};

void add_calls_with_rules(Program& program) {
  const auto refuse_bits = [&](long number, unsigned argument, std::uint32_t bits, std::uint32_t action) {
    program.call(number, [&] {
      program.load_argument(argument);
      program.end_if_any(bits, action);
      program.end(SECCOMP_RET_ALLOW);
    });
  };
  refuse_bits(SYS_clone, 0, kNamespaces, SECCOMP_RET_KILL_PROCESS);
  refuse_bits(SYS_openat, 2, kNamelessFile, SECCOMP_RET_ERRNO | EOPNOTSUPP);
#ifdef SYS_open
  refuse_bits(SYS_open, 1, kNamelessFile, SECCOMP_RET_ERRNO | EOPNOTSUPP);
#endif
  program.call(SYS_prlimit64, [&] {
    program.load_argument(0);
    program.end_if_equal(0, SECCOMP_RET_ALLOW);  // this process
    program.end(kRefuse);
  });
  program.call(SYS_ioctl, [&] {
    program.load_argument(1);
    program.end_if_equal(TIOCSTI, SECCOMP_RET_KILL_PROCESS);  // types into a terminal
    program.end_if_equal(TIOCLINUX, SECCOMP_RET_KILL_PROCESS);
    program.end(SECCOMP_RET_ALLOW);
  });
  program.call(SYS_prctl, [&] {
    program.load_argument(0);
    for (const int option : kProcessControls) {
      program.end_if_equal(static_cast<std::uint32_t>(option), SECCOMP_RET_ALLOW);
    }
    program.end(kRefuse);
  });
}

}  // namespace

void filter_system_calls() {
  Program program;
  program.load(offsetof(seccomp_data, arch));
  program.end_unless_equal(kArchitecture, SECCOMP_RET_KILL_PROCESS);
  program.load(offsetof(seccomp_data, nr));
  program.end_if_at_least(kX32, SECCOMP_RET_KILL_PROCESS);
  for (const long number : kAllowed) {
    program.end_if_equal(static_cast<std::uint32_t>(number), SECCOMP_RET_ALLOW);
  }
  add_calls_with_rules(program);
  for (const long number : kDeadly) {
    program.end_if_equal(static_cast<std::uint32_t>(number), SECCOMP_RET_KILL_PROCESS);
  }
  for (const long number : kRefused) {
    program.end_if_equal(static_cast<std::uint32_t>(number), kRefuse);
  }
  program.end(kUnknown);
  const sock_fprog code = program.get();
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &code) != 0) {
    throw std::system_error(errno, std::generic_category(), "the filter of system calls");
  }
}

}  // namespace wall
