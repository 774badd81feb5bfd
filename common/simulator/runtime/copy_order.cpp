// SPDX-License-Identifier: MIT
// Copies, fills and calls of libraries in different streams that touch one place. A kernel looks for itself
// (checkers/streams/stream_order.h).

#include <algorithm>

#include "messages/describe_address.h"
#include "report/finding_text.h"
#include "report/host_lines.h"
#include "runtime/copied_values.h"

namespace cudasim {

void report_call(Runtime& runtime, const Finding& finding) {
  std::string key = "library/" + std::string(name_of(finding.kind)) + place_of(finding) + finding.use;
  const SourceLine other = other_call_of(finding).where;
  key += other.file + std::to_string(other.line);
  if (finding.where.line == 0) key += finding.message;
  if (!runtime.reported.insert(key).second) return;
  runtime.add_finding(finding);
}

void compare_with_streams(Runtime& runtime, const StreamWork& work) {
  if (runtime.checks() == nullptr || runtime.checks()->race == nullptr) return;
  for (const StreamWork* other : runtime.work.unordered_with(work)) {
    for (const TouchedPlaces& own : work.touches) {
      const auto hit = std::find_if(other->touches.begin(), other->touches.end(), [&own](const TouchedPlaces& places) {
        return (own.is_write || places.is_write) && own.overlap(places);
      });
      if (hit == other->touches.end()) continue;
      const KindDescription& words = words_of(FindingKind::stream_order);
      Finding finding;
      finding.kind = FindingKind::stream_order;
      finding.severity = words.severity;
      finding.where = host_line(work.callers, Wanted::caller).where;
      finding.message = work.what + ", in " + work.stream.text() + ", " + (own.is_write ? "writes" : "reads") +
                        " memory that " + other->what + ", in " + other->stream.text() +
                        (other->frees    ? ", frees"
                         : hit->is_write ? ", writes"
                                         : ", reads") +
                        ", and nothing orders the two";
      finding.advice = words.advice;
      finding.is_store = own.is_write;
      finding.other_call = other->callers;
      if (const Allocation* allocation = runtime.memory().find(own.begin); allocation != nullptr) {
        finding.allocation = describe(*allocation);
        finding.callers = allocation->callers;
      }
      finding.seed = runtime.settings().schedule.seed;
      report_call(runtime, finding);
      break;
    }
  }
}

}  // namespace cudasim
