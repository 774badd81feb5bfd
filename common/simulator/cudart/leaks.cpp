// SPDX-License-Identifier: MIT
#include "cudart/leaks.h"

#include "cudart/runtime.h"
#include "report/console.h"
#include "report/finding_text.h"

namespace cudasim {

void report_leaks(Runtime& runtime) {
  if (runtime.pending_error != cudaSuccess || runtime.sticky_error != cudaSuccess || !runtime.has_memory()) return;
  if (runtime.refused_launch) return;  // what was left behind on the way out is no mistake of its own
  for (const Allocation* allocation : runtime.memory().live()) {
    const char* call = nullptr;
    switch (allocation->origin) {
      case Origin::cuda_malloc:
        call = "cudaMalloc";
        break;
      case Origin::cuda_malloc_host:
        call = "cudaMallocHost";
        break;
      case Origin::managed:
        call = "cudaMallocManaged";
        break;
      case Origin::kernel_heap:
        call = "malloc in a kernel";
        break;
      case Origin::host_registered:
      case Origin::variable:
      case Origin::constant:
      case Origin::internal:
        continue;
    }
    Finding finding;
    finding.kind = FindingKind::leak;
    finding.severity = Severity::defect;
    finding.message = std::to_string(allocation->size_bytes) + " bytes were never freed";
    finding.advice =
        "free what was allocated before the program ends; the driver takes it back then, but a program that "
        "runs for long, or a library, runs out of memory";
    finding.allocation = "allocation " + std::to_string(allocation->id) + " of the program (" + call + ")";
    finding.callers = allocation->callers;
    finding.address = allocation->address;
    finding.access_bytes = 0;
    finding.seed = runtime.settings().schedule.seed;
    print_text(text_of(finding, ""));
    runtime.report.add(finding);
  }
}

}  // namespace cudasim
