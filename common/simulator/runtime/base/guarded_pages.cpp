// SPDX-License-Identifier: MIT
#include "runtime/base/guarded_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "report/host_lines.h"

namespace cudasim {
namespace {

constexpr std::size_t kMostRanges = 64;  // of pages, of each protection: each costs a system call

struct Pages {
  std::uint64_t begin = 0, end = 0;
};

/// The handler runs in any thread. It uses all this under `busy`, and so does everybody else.
struct Watch {
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  std::vector<Pages> closed, read_only;
  std::vector<UsedBytes> used;
  bool is_guarded = false;
  std::array<HostAccess, 16> notes;
  std::size_t note_count = 0;
};

Watch& watch() {
  static Watch* const watch = new Watch;
  return *watch;
}

class Busy {
 public:
  explicit Busy(Watch& watch) : watch_(watch) {
    while (watch_.busy.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Busy() { watch_.busy.clear(std::memory_order_release); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  Watch& watch_;
};

std::uint64_t page_bytes() {
  static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

bool protect(std::uint64_t begin, std::uint64_t end, int how) {
  return mprotect(reinterpret_cast<void*>(begin), end - begin, how) == 0;
}

void open(Watch& watch) {
  if (!watch.is_guarded) return;
  for (const std::vector<Pages>* all : {&watch.closed, &watch.read_only}) {
    for (const Pages& pages : *all) protect(pages.begin, pages.end, PROT_READ | PROT_WRITE);
  }
  watch.is_guarded = false;
}

bool holds(const std::vector<Pages>& all, std::uint64_t address) {
  return std::any_of(all.begin(), all.end(),
                     [address](const Pages& pages) { return address - pages.begin < pages.end - pages.begin; });
}

/// The pages with such bytes, as ranges.
std::vector<Pages> pages_of(const std::vector<UsedBytes>& used, bool written) {
  std::vector<Pages> pages;
  for (const auto& [bytes, work] : used) {
    if (bytes.is_write != written) continue;
    const std::uint64_t unit = page_bytes();
    pages.push_back({bytes.begin / unit * unit, (bytes.end + unit - 1) / unit * unit});
  }
  std::sort(pages.begin(), pages.end(), [](const Pages& a, const Pages& b) { return a.begin < b.begin; });
  std::vector<Pages> ranges;
  for (const Pages& next : pages) {
    if (!ranges.empty() && next.begin <= ranges.back().end) {
      ranges.back().end = std::max(ranges.back().end, next.end);
    } else if (ranges.size() < kMostRanges) {
      ranges.push_back(next);
    }
  }
  return ranges;
}

}  // namespace

void use_bytes(std::vector<UsedBytes> used) {
  const Busy busy(watch());
  watch().closed = pages_of(used, true);
  watch().read_only = pages_of(used, false);
  watch().used = std::move(used);
}

void guard_pages() {
  Watch& all = watch();
  if (all.used.empty()) return;
  const Busy busy(all);
  for (const Pages& pages : all.read_only) protect(pages.begin, pages.end, PROT_READ);
  for (const Pages& pages : all.closed) protect(pages.begin, pages.end, PROT_NONE);
  all.is_guarded = true;
}

std::vector<HostAccess> open_pages() {
  Watch& all = watch();
  const Busy busy(all);
  open(all);
  std::vector<HostAccess> found(all.notes.begin(), all.notes.begin() + static_cast<std::ptrdiff_t>(all.note_count));
  all.note_count = 0;
  return found;
}

bool open_for_host(const void* pointer, bool is_write) {
  Watch& all = watch();
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const Busy busy(all);
  const bool is_closed = holds(all.closed, address);
  if (!is_closed && !holds(all.read_only, address)) return false;
  if (!all.is_guarded) return true;  // another thread has opened it meanwhile
  if (!is_closed) is_write = true;
  for (const UsedBytes& used : all.used) {
    if (!used.bytes.contains(address) || (!used.bytes.is_write && !is_write)) continue;
    if (all.note_count < all.notes.size()) all.notes[all.note_count++] = {address, is_write, used, callers()};
    open(all);
    return true;
  }
  const std::uint64_t page = address / page_bytes() * page_bytes();
  if (!protect(page, page + page_bytes(), PROT_READ | PROT_WRITE)) open(all);  // too many mappings
  return true;
}

}  // namespace cudasim
