// SPDX-License-Identifier: MIT
// The numbers are the kernel's own. Headers of older distributions lack the newer ones, so they stand here.
#include "wall/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace wall {
namespace {

#ifndef SYS_landlock_create_ruleset  // the same on all architectures
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

constexpr std::uint64_t kExecute = 1U << 0, kWriteFile = 1U << 1, kReadFile = 1U << 2, kReadFolder = 1U << 3;
constexpr std::uint64_t kRemoveFolder = 1U << 4, kRemoveFile = 1U << 5, kMakeDevice = 1U << 6, kMakeFolder = 1U << 7;
constexpr std::uint64_t kMakeFile = 1U << 8, kMakeSocket = 1U << 9, kMakePipe = 1U << 10, kMakeBlockDevice = 1U << 11;
constexpr std::uint64_t kMakeLink = 1U << 12, kMove = 1U << 13, kTruncate = 1U << 14, kControlDevice = 1U << 15;
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate;  // the rights that a file can have
constexpr std::uint64_t kRead = kExecute | kReadFile | kReadFolder;
constexpr std::uint64_t kRemove = kRemoveFolder | kRemoveFile | kMove;
constexpr std::uint64_t kWrite =
    kRead | kWriteFile | kMakeFolder | kMakeFile | kMakePipe | kMakeLink | kTruncate | kRemove;
constexpr std::uint64_t kAll = kWrite | kMakeDevice | kMakeSocket | kMakeBlockDevice | kControlDevice;
constexpr std::uint64_t kTcp = 3;    // bind and connect
constexpr std::uint64_t kScope = 3;  // abstract sockets and signals
constexpr int kFromMove = 2, kFromTruncate = 3, kFromTcp = 4, kFromDevices = 5,
              kFromScope = 6;  // versions of the interface
constexpr unsigned kAskVersion = 1;
constexpr int kRuleOfPath = 1;

struct Ruleset {
  std::uint64_t files, net, scope;
};
struct __attribute__((packed)) PathRule {
  std::uint64_t rights;
  std::int32_t folder;
};

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

void add(int rules, const std::string& path, std::uint64_t rights) {
  const int opened = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (opened < 0) {
    if (errno == ENOENT) {
      return;
    }
    fail(path);
  }
  struct stat found {};
  if (fstat(opened, &found) == 0 && !S_ISDIR(found.st_mode)) {
    rights &= kOfFiles;
  }
  const PathRule rule = {rights, opened};
  if (syscall(SYS_landlock_add_rule, rules, kRuleOfPath, &rule, 0) != 0) {
    fail("Landlock, for " + path);
  }
  close(opened);
}

}  // namespace

void restrict_files(const std::vector<std::string>& read, const std::vector<std::string>& write, bool keeps_files) {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  if (version < 1) {
    fail("this kernel has no Landlock");
  }
  std::uint64_t known = kAll;
  known &= ~((version < kFromMove ? kMove : 0) | (version < kFromTruncate ? kTruncate : 0));
  known &= ~(version < kFromDevices ? kControlDevice : 0);
  const Ruleset handled = {known, version < kFromTcp ? 0 : kTcp, version < kFromScope ? 0 : kScope};
  const std::size_t bytes = version < kFromTcp ? 8 : version < kFromScope ? 16 : 24;
  const int rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, bytes, 0));
  if (rules < 0) {
    fail("Landlock");
  }
  for (const std::string& path : read) {
    add(rules, path, kRead & known);
  }
  for (const std::string& path : write) {
    add(rules, path, kWrite & known & ~(keeps_files ? kRemove : 0));
  }
  if (syscall(SYS_landlock_restrict_self, rules, 0) != 0) {
    fail("Landlock");
  }
  close(rules);
}

}  // namespace wall
