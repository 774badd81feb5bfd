// SPDX-License-Identifier: MIT
// Calls of NVIDIA's libraries, which their stand-ins compute on the host. What a call reads and writes is checked when
// its turn in the stream comes, as for a kernel.
#include <algorithm>
#include <memory>

#include "checkers/init/initialised.h"
#include "libraries/library_call.h"
#include "messages/describe_address.h"
#include "report/console.h"
#include "report/finding_text.h"
#include "report/host_lines.h"
#include "runtime/capture.h"
#include "runtime/copied_values.h"
#include "runtime/host/long_call.h"

namespace cudasim {
namespace {

TouchedPlaces touched_by(const LibraryOperand& operand) {
  return {operand.is_written,   reinterpret_cast<std::uint64_t>(operand.pointer),
          operand.width,        operand.height,
          operand.depth,        operand.row_stride,
          operand.slice_stride, operand.width_step};
}

/// From the first byte to the end of the last row. More than any memory has where it overflows.
std::uint64_t whole_span(const TouchedPlaces& places) {
  using Wide = unsigned __int128;
  const Wide bytes = Wide{places.depth - 1} * places.slice_stride + Wide{places.height - 1} * places.row_stride +
                     places.row_width(places.height - 1);
  return static_cast<std::uint64_t>(std::min(bytes, Wide{1} << 62));
}

/// A finding about an operand, at the line of the call.
Finding finding_of(const Runtime& runtime, const StreamWork& work, FindingKind kind, const Allocation* allocation) {
  const KindDescription& words = words_of(kind);
  Finding finding;
  finding.kind = kind;
  finding.severity = words.severity;
  finding.cuda_error = words.cuda_error;
  finding.advice = words.advice;
  finding.where = host_line(work.callers, Wanted::caller).where;
  finding.seed = runtime.settings().schedule.seed;
  if (allocation != nullptr) {
    finding.allocation = describe(*allocation);
    finding.callers = allocation->callers;
  }
  return finding;
}

const char* use_of(const LibraryOperand& operand) { return operand.is_written ? " writes " : " reads "; }

/// The host's address of the operand; nullptr, and the device has failed.
void* locate(Runtime& runtime, const LibraryCall& call, const LibraryOperand& operand, const StreamWork& work) {
  const TouchedPlaces places = touched_by(operand);
  const std::uint64_t bytes = whole_span(places);
  const Allocation* allocation = runtime.memory().find(places.begin);
  const std::string what =
      std::string(call.name) + use_of(operand) + std::to_string(bytes) + " bytes of " + operand.name + ", which ";
  const auto fail = [&](FindingKind kind, const std::string& why) {
    Finding finding = finding_of(runtime, work, kind, allocation);
    finding.message = what + why;
    finding.address = places.begin;
    finding.access_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, ~0u));
    finding.is_store = operand.is_written;
    if (kind == FindingKind::out_of_bounds && allocation != nullptr)
      finding.advice = "compare the sizes, leading dimensions and strides of the call with what was allocated";
    report_call(runtime, finding);
    runtime.pending_error = static_cast<cudaError_t>(finding.cuda_error);
    return nullptr;
  };
  if (operand.pointer == nullptr) return fail(FindingKind::null_pointer, "is a null pointer");
  if (allocation == nullptr)
    return fail(FindingKind::out_of_bounds, "lies in no allocation of the device: is it a pointer of the host?");
  if (allocation->host == nullptr) return fail(FindingKind::use_after_free, "was freed");
  std::byte* const host = runtime.memory().resolve(places.begin, bytes);
  if (host != nullptr) return host;
  const std::uint64_t left = allocation->address + allocation->size_bytes - places.begin;
  return fail(FindingKind::out_of_bounds, "has " + std::to_string(left) + " to the end of its allocation");
}

void look_for_undefined(Runtime& runtime, const LibraryCall& call, const LibraryOperand& operand,
                        const StreamWork& work) {
  const InitChecker* checker = runtime.checks()->init.get();
  const TouchedPlaces places = touched_by(operand);
  const Allocation* allocation = runtime.memory().find(places.begin);
  if (checker == nullptr || !operand.is_read || !allocation->written) return;
  InitChecker::Result result;
  places.for_each_row([&](std::uint64_t begin, std::uint64_t bytes) {
    checker->look_at_row(result, *allocation, begin - allocation->address, bytes);
  });
  const std::string reads = std::string("reads as ") + operand.name;
  const InitChecker::Reader reader{call.name, reads.c_str(), reads.c_str()};
  for (Finding finding : checker->findings_of(result, *allocation, reader, runtime.work.late_kernel(work))) {
    if (finding.kernel.empty()) finding.where = host_line(work.callers, Wanted::caller).where;
    report_call(runtime, finding);
  }
}

/// False: an operand was wrong.
bool run_call(Runtime& runtime, const LibraryCall& call, const StreamWork& work) {
  std::vector<void*> memory;
  for (const LibraryOperand& operand : call.operands) {
    memory.push_back(locate(runtime, call, operand, work));
    if (memory.back() == nullptr) return false;
  }
  if (runtime.checks() != nullptr) {
    for (const LibraryOperand& operand : call.operands) look_for_undefined(runtime, call, operand, work);
    compare_with_streams(runtime, work);
  }
  {
    std::uint64_t bytes = 0;
    for (const LibraryOperand& operand : call.operands) bytes += whole_span(touched_by(operand));
    const LongCall watch(runtime, call.name, work.callers, bytes);
    call.compute(memory.data());
  }
  for (const LibraryOperand& operand : call.operands) {
    if (!operand.is_written) continue;
    CopiedValues values(runtime, call.name, operand.pointer, nullptr);
    const TouchedPlaces places = touched_by(operand);
    places.for_each_row([&](std::uint64_t begin, std::uint64_t bytes) { values.row(begin - places.begin, 0, bytes); });
  }
  return true;
}

cudaError_t put_call(Runtime& runtime, const LibraryCall& call) {
  if (!runtime.is_stream(call.stream)) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = refuse_captured(runtime, call.stream); error != cudaSuccess)
    return complain(call.name, "the simulator has no such call in a stream that is captured into a graph", error);
  StreamWork work;
  work.what = call.name;
  work.callers = callers();
  if (runtime.watches_streams()) {
    for (const LibraryOperand& operand : call.operands) work.touches.push_back(touched_by(operand));
  }
  work.run = [&runtime, call](const StreamWork& done) { return run_call(runtime, call, done); };
  if (!call.is_part) runtime.report.add_library_call(call.name);
  const StreamClock clock = runtime.work.put(runtime.stream_name(call.stream), std::move(work), call.waits);
  return call.waits ? runtime.wait_for(clock) : runtime.sticky_error;
}

}  // namespace
}  // namespace cudasim

CUDASIM_EXPORT cudaError_t cudasim_call_library(const cudasim::LibraryCall& call) {
  return cudasim::enter(call.name, call.waits ? cudasim::Access::synchronous : cudasim::Access::enqueued,
                        [&](cudasim::Runtime& runtime) { return cudasim::put_call(runtime, call); });
}

CUDASIM_EXPORT void cudasim_explain(const char* call, const char* why) {
  cudasim::Runtime& runtime = cudasim::Runtime::instance();
  const std::lock_guard<std::mutex> lock(runtime.mutex);
  if (runtime.reported.insert(std::string("explained/") + call + why).second)
    cudasim::print_line(std::string(call) + ": " + why);
}
