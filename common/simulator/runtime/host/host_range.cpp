// SPDX-License-Identifier: MIT
// The findings of the check `host` (runtime.h).
#include <utility>

#include "report/finding_text.h"
#include "runtime/runtime.h"

namespace cudasim {
namespace {

/// Once for each line and kind.
void report_of_host(Runtime& runtime, Finding finding) {
  finding.severity = words_of(finding.kind).severity;
  finding.advice = words_of(finding.kind).advice;
  finding.seed = runtime.settings().schedule.seed;
  const SourceLine where = host_line_of(finding).where;
  const std::string place = where.line > 0 ? where.file + std::to_string(where.line) : finding.message;
  if (!runtime.reported.insert(name_of(finding.kind) + place).second) return;
  runtime.add_finding(finding);
}

}  // namespace

void open_host_range(Runtime& runtime) {
  runtime.host_range = {};
  runtime.host_range.is_open = runtime.settings().checks.host;
}

void close_host_range(Runtime& runtime) {
  const HostRange range = runtime.host_range;
  runtime.host_range = {};
  if (!range.is_open || range.unasked_launch[0] == 0) return;
  Finding finding;
  finding.kind = FindingKind::unasked_launch;
  finding.message = words_of(finding.kind).message;
  finding.kernel = range.kernel;
  finding.callers = range.unasked_launch;
  report_of_host(runtime, std::move(finding));
}

void look_at_wait(Runtime& runtime, const char* call, const std::uint64_t bytes_read) {
  if (!runtime.host_range.is_open) return;
  Finding finding;
  finding.kind = FindingKind::host_wait;
  finding.message = bytes_read == 0 ? std::string("the host waits for the device, by ") + call
                                    : "the host reads " + std::to_string(bytes_read) + " bytes of device memory, by " +
                                          call + ": what it computes of them, no kernel computes";
  finding.message += "; this part of the program only puts work into streams";
  finding.callers = callers();
  report_of_host(runtime, std::move(finding));
}

void look_at_launch(Runtime& runtime, const std::string& kernel) {
  if (!runtime.host_range.is_open) return;
  runtime.host_range.unasked_launch = callers();
  runtime.host_range.kernel = kernel;
}

}  // namespace cudasim
