// SPDX-License-Identifier: MIT
#include "runtime/leaks.h"

#include <algorithm>
#include <vector>

#include "runtime/graph_memory.h"
#include "runtime/runtime.h"

namespace cudasim {
namespace {

/// The program's call that allocates it; nullptr: the program need not free it.
const char* call_of(Origin origin) {
  switch (origin) {
    case Origin::cuda_malloc:
      return "cudaMalloc";
    case Origin::cuda_malloc_host:
      return "cudaMallocHost";
    case Origin::managed:
      return "cudaMallocManaged";
    case Origin::kernel_heap:
      return "malloc in a kernel";
    case Origin::host_registered:
    case Origin::variable:
    case Origin::constant:
    case Origin::internal:
      return nullptr;
  }
  return nullptr;
}

struct Leak {
  const Allocation* first;
  std::size_t count;
  std::size_t bytes;
};

/// All leaks from one call are one mistake. Of malloc() in kernels no line is known: these are one, too.
bool is_same_mistake(const Allocation& one, const Allocation& other) {
  if (one.origin != other.origin) return false;
  return one.origin == Origin::kernel_heap || (one.callers[0] != 0 && one.callers == other.callers);
}

std::vector<Leak> leaks_of(Runtime& runtime) {
  std::vector<Leak> leaks;
  for (const Allocation* allocation : runtime.memory().live()) {
    if (call_of(allocation->origin) == nullptr || is_unused_graph_memory(runtime, allocation->address)) continue;
    const auto known = std::find_if(leaks.begin(), leaks.end(), [allocation](const Leak& leak) {
      return is_same_mistake(*allocation, *leak.first);
    });
    if (known == leaks.end()) {
      leaks.push_back({allocation, 1, allocation->size_bytes});
    } else {
      ++known->count;
      known->bytes += allocation->size_bytes;
    }
  }
  return leaks;
}

}  // namespace

void report_leaks(Runtime& runtime) {
  if (runtime.pending_error != cudaSuccess || runtime.sticky_error != cudaSuccess || !runtime.has_memory()) return;
  if (runtime.has_failed) return;  // memory that remains after a failed call is no mistake of its own
  for (const auto& [first, count, bytes] : leaks_of(runtime)) {
    Finding finding;
    finding.kind = FindingKind::leak;
    finding.severity = Severity::defect;
    finding.message = std::to_string(bytes) + " bytes " +
                      (count > 1 ? "of " + std::to_string(count) + " allocations " : "") + "were never freed";
    finding.advice =
        "free what was allocated before the program ends; the driver takes it back then, but a program that "
        "runs for long, or a library, runs out of memory";
    finding.allocation = "allocation " + std::to_string(first->id) +
                         (count > 1 ? " and " + std::to_string(count - 1) + " more" : "") + " of the program (" +
                         call_of(first->origin) + ")";
    finding.callers = first->callers;
    finding.address = first->address;
    finding.access_bytes = 0;
    finding.seed = runtime.settings().schedule.seed;
    runtime.add_finding(finding);
  }
}

}  // namespace cudasim
