// SPDX-License-Identifier: MIT
// Accesses of the host to managed and pinned memory that a launch or a copy still uses, as far as the host knows. Part
// of the check `race`.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/demangle.h"
#include "messages/describe_address.h"
#include "report/finding_text.h"
#include "report/host_lines.h"
#include "runtime/base/crash.h"
#include "runtime/base/guarded_pages.h"
#include "runtime/runtime.h"

namespace cudasim {
namespace {

thread_local unsigned host_functions_here = 0;

constexpr std::size_t kMostStretches = 8192;

using Stretch = HostTouches::Stretch;

/// Work that the host has not waited for.
struct Pending {
  std::string what, stream;
  bool is_kernel = false;
  CallStack callers{};
};

/// Of those for whose bytes the pages are guarded. Runtime::mutex is held for all this.
struct State {
  std::vector<Pending> works;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> numbers;  // stream and number of each
  std::uint64_t made_with = 0;                                   // Memory::shared_changes()
  unsigned host_functions = 0;                                   // that run now
};

State& state() {
  static State* const state = new State;
  return *state;
}

/// The part of a stretch that is in memory of which the pages hold nothing else; else it is empty.
Stretch within_shared(const Memory& memory, const Stretch& bytes) {
  const Allocation* const a = memory.find(bytes.begin);
  const bool is_guardable =
      a != nullptr && a->origin != Origin::host_registered && a->address == reinterpret_cast<std::uint64_t>(a->host);
  return {bytes.begin, is_guardable ? std::min(bytes.end, a->address + a->size_bytes) : bytes.begin, bytes.is_write};
}

std::vector<UsedBytes> bytes_of(const Memory& memory, const std::vector<const StreamWork*>& works) {
  std::vector<UsedBytes> used;
  const auto add = [&](const Stretch& bytes, std::size_t work) {
    const Stretch inside = within_shared(memory, bytes);
    if (inside.begin < inside.end && used.size() < kMostStretches) used.push_back({inside, work});
  };
  for (std::size_t i = 0; i < works.size(); ++i) {
    for (const TouchedPlaces& box : works[i]->touches) {
      for (std::uint64_t row = 0; row < box.height * box.depth && used.size() < kMostStretches; ++row) {
        const std::uint64_t begin = box.begin + row / box.height * box.slice_stride + row % box.height * box.row_stride;
        add({begin, begin + box.width, box.is_write}, i);
      }
    }
    if (works[i]->host_touches == nullptr) continue;
    for (const Stretch& bytes : works[i]->host_touches->stretches()) add(bytes, i);
  }
  return used;
}

/// Finds out what has to be guarded now.
void look_at_work(Runtime& runtime) {
  State& now = state();
  std::vector<const StreamWork*> works;
  if (runtime.watches_host() && now.host_functions == 0) works = runtime.work.unwaited();
  if (!works.empty() && !handles_crashes()) works.clear();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> numbers;
  numbers.reserve(works.size());
  for (const StreamWork* work : works) numbers.emplace_back(work->stream.id, work->number);
  const std::uint64_t changes = works.empty() ? 0 : runtime.memory().shared_changes();
  if (numbers == now.numbers && changes == now.made_with) return;
  std::vector<Pending> pending;
  pending.reserve(works.size());
  for (const StreamWork* work : works)
    pending.push_back({work->what, work->stream.text(), work->is_kernel, work->callers});
  use_bytes(works.empty() ? std::vector<UsedBytes>{} : bytes_of(runtime.memory(), works));
  now.works = std::move(pending);
  now.numbers = std::move(numbers);
  now.made_with = changes;
}

void report(Runtime& runtime, const HostAccess& access, const Pending& work) {
  Finding finding;
  finding.kind = FindingKind::host_access;
  finding.severity = Severity::defect;
  finding.kernel = work.is_kernel ? work.what : "";
  finding.message = std::string("the host ") + (access.is_write ? "writes" : "reads") + " memory that " +
                    (work.is_kernel ? "kernel " + demangle(work.what) : work.what) + ", in " + work.stream + ", " +
                    (access.used.bytes.is_write ? "writes" : "reads") + ", and the host has not waited for it";
  finding.advice = words_of(FindingKind::host_access).advice;
  finding.callers = access.callers;
  finding.other_call = work.callers;
  finding.address = access.address;
  finding.is_store = access.is_write;
  finding.seed = runtime.settings().schedule.seed;
  if (const Allocation* a = runtime.memory().find(access.address))
    finding.allocation = "byte " + std::to_string(access.address - a->address) + " of " + describe(*a);
  const std::string key = "host-access " + host_place(host_line_of(finding)) + host_place(other_call_of(finding));
  if (!runtime.reported.insert(key).second) return;
  runtime.add_finding(finding);
}

}  // namespace

HostWatchPause::HostWatchPause(Runtime& runtime) : runtime_(runtime) {
  for (const HostAccess& access : open_pages()) report(runtime, access, state().works[access.used.work]);
}

HostWatchPause::~HostWatchPause() {
  try {
    look_at_work(runtime_);
    guard_pages();
  } catch (...) {  // no memory: nothing is guarded
  }
}

HostFunctionRuns::HostFunctionRuns() {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard<std::mutex> lock(runtime.mutex);
  ++state().host_functions;
  ++host_functions_here;
  const HostWatchPause pause(runtime);
}

bool HostFunctionRuns::in_this_thread() { return host_functions_here != 0; }

HostFunctionRuns::~HostFunctionRuns() {
  const std::lock_guard<std::mutex> lock(Runtime::instance().mutex);
  --state().host_functions;
  --host_functions_here;
}

}  // namespace cudasim
