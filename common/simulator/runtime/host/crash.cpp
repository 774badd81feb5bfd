// SPDX-License-Identifier: MIT
// A signal handler may do almost nothing, and a message with a source line needs memory, files and a tool. So the
// handler makes a copy of the process and only waits for it. The copy prints the message. The copy may fail, for
// example because of a lock that is held or a broken heap. Even then the program ends as it would without this handler.
#include "runtime/base/crash.h"

#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <ctime>

#include "messages/describe_address.h"
#include "report/host_lines.h"
#include "runtime/base/guarded_pages.h"
#include "runtime/runtime.h"

namespace cudasim {
namespace {

constexpr int kLongestWaitMs = 15'000;
constexpr std::uint64_t kPageOfNull = 4096;

/// Whether it is an address of device memory (memory/memory.cpp), or near one: no supported host has such addresses.
bool is_device_address(std::uint64_t address) {
  constexpr std::uint64_t kBase = 0x0070'0000'0000'0000, kAround = std::uint64_t{1} << 36;
  return address - (kBase - kAround) < (std::uint64_t{1} << 45);
}

#if defined(__x86_64__)
/// The processor does not report an address that is not canonical, and those of device memory are such. The address
/// came from a register.
BadAddress address_in_registers(const ucontext_t& context) {
  BadAddress bad;
  unsigned others = 0;
  for (int i = REG_R8; i <= REG_RSP; ++i) {
    const auto value = static_cast<std::uint64_t>(context.uc_mcontext.gregs[i]);
    const std::uint64_t top = value >> 47;
    if (is_device_address(value)) {
      bad = {BadAddress::Kind::device, value};
    } else if (top != 0 && top != 0x1ffff) {
      ++others;
    }
  }
  if (bad.kind == BadAddress::Kind::device && others > 0) bad.kind = BadAddress::Kind::perhaps;
  return bad;
}
#endif

BadAddress bad_address(const siginfo_t& info, const void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info.si_addr);
#if defined(__x86_64__)
  if (info.si_code == SI_KERNEL) return address_in_registers(*static_cast<const ucontext_t*>(context));
#else
  (void)context;
#endif
  if (is_device_address(address)) return {BadAddress::Kind::device, address};
  return {address < kPageOfNull ? BadAddress::Kind::null : BadAddress::Kind::other, address};
}

/// Whether the failed instruction lies in this library while a kernel runs, and no memory is shared with the host. Then
/// the reason cannot be a wrong pointer of the program.
bool is_fault_of_simulator(Runtime& runtime, const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  const auto place = static_cast<std::uint64_t>(registers.gregs[REG_RIP]);
#else
  const auto place = static_cast<std::uint64_t>(registers.pc);
#endif
  Dl_info failed{}, own{};
  if (dladdr(reinterpret_cast<void*>(place), &failed) == 0) return false;
  if (dladdr(reinterpret_cast<void*>(&watch_for_crashes), &own) == 0) return false;
  return failed.dli_fbase == own.dli_fbase && runtime.runs_kernel && !runtime.memory().host_may_write();
}

Finding describe_fault_of_simulator(Runtime& runtime) {
  Finding finding;
  finding.kind = FindingKind::host_crash;
  finding.callers = callers();
  finding.seed = runtime.settings().schedule.seed;
  finding.message = "the simulator itself crashed while it ran a kernel: as far as one can tell, that is its mistake";
  finding.advice = "this proves nothing about the program. Please report it, with the program";
  return finding;
}

Finding describe(Runtime& runtime, const BadAddress& bad) {
  Finding finding;
  finding.kind = FindingKind::host_crash;
  finding.callers = callers();
  finding.seed = runtime.settings().schedule.seed;
  char address[24];
  std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(bad.address));
  const Allocation* allocation = runtime.has_memory() ? runtime.memory().find(bad.address) : nullptr;
  const std::string memory =
      std::string(address) + (allocation == nullptr ? "" : ", in " + cudasim::describe(*allocation));
  const char* copy =
      "only kernels can use what cudaMalloc returned: to read it, copy it to the host (cudaMemcpy with "
      "cudaMemcpyDeviceToHost); to write it, use cudaMemset, or copy to the device";
  switch (bad.kind) {
    case BadAddress::Kind::device:
      finding.message = "the host's part of the program crashed (signal 11): it used a pointer to device memory";
      finding.allocation = memory;
      finding.advice = copy;
      break;
    case BadAddress::Kind::perhaps:
      finding.message = "the host's part of the program crashed (signal 11): did it use a pointer to device memory?";
      finding.allocation = "one of the addresses in use was " + memory;
      finding.advice = copy;
      break;
    case BadAddress::Kind::null:
      finding.message =
          "the host's part of the program crashed (signal 11): it used a null pointer, or an index from one";
      finding.advice = "was the pointer ever set, and did the call that sets it succeed?";
      break;
    case BadAddress::Kind::other:
      finding.message = "the host's part of the program crashed (signal 11)";
      finding.advice =
          "look for an index outside an array of the host, a pointer that was never set, memory that was freed, or "
          "a recursion without an end";
      break;
  }
  return finding;
}

Finding describe_division(Runtime& runtime) {
  Finding finding;
  finding.kind = FindingKind::host_crash;
  finding.callers = callers();
  finding.seed = runtime.settings().schedule.seed;
  finding.message = "the host's part of the program divided a whole number by 0, or asked for the remainder (signal 8)";
  finding.advice =
      "which divisor of this line is 0, and in which case? A number of parts that is rounded down is 0 where there is "
      "less than one of them";
  return finding;
}

/// In the copy.
void tell(int signal, const siginfo_t& info, const void* context) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  Runtime& runtime = Runtime::instance();
  const Finding finding = is_fault_of_simulator(runtime, context) ? describe_fault_of_simulator(runtime)
                          : signal == SIGFPE                      ? describe_division(runtime)
                                                                  : describe(runtime, bad_address(info, context));
  runtime.add_finding(finding);
}

/// Whether the failed access was to write; false where that is not known.
bool is_write(const void* context) {
#if defined(__x86_64__)
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  (void)context;
  return false;
#endif
}

/// It removes itself at a crash. When it returns, the instruction fails again, and ends the program. It calls nothing
/// but the kernel: fork() itself would take locks.
void on_crash(int signal, siginfo_t* info, void* context) {
  if (signal == SIGSEGV && info->si_code == SEGV_ACCERR && open_for_host(info->si_addr, is_write(context))) return;
  std::signal(signal, SIG_DFL);
  if (info->si_code <= 0) {  // sent, by kill(): no instruction has failed, none will fail again
    raise(signal);
    return;
  }
  const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  if (child == 0) {
    tell(signal, *info, context);
    _exit(0);
  }
  for (int waited_ms = 0; child > 0; ++waited_ms) {
    if (waitpid(child, nullptr, WNOHANG) != 0) break;
    if (waited_ms == kLongestWaitMs) kill(child, SIGKILL);
    const timespec millisecond{0, 1'000'000};
    nanosleep(&millisecond, nullptr);
  }
}

}  // namespace

bool handles_crashes() {
  struct sigaction now {};
  return sigaction(SIGSEGV, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_crash;
}

void watch_for_crashes() {
  const auto is_watched = [](int signal) {
    struct sigaction now {};
    return sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL;
  };
  // A stack of its own, for the crash of a recursion that has filled the other one.
  static char memory[256 * 1024];
  stack_t stack{}, old{};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  if (sigaltstack(nullptr, &old) == 0 && (old.ss_flags & SS_DISABLE) != 0) sigaltstack(&stack, nullptr);
  struct sigaction handler {};
  handler.sa_sigaction = on_crash;
  handler.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&handler.sa_mask);
  for (const int signal : {SIGSEGV, SIGFPE}) {
    if (!is_watched(signal)) sigaction(signal, &handler, nullptr);
  }
}

}  // namespace cudasim
