// SPDX-License-Identifier: MIT
// What the runtime knows for an estimate of the time: the calls of the host, and occupancy.
#include <memory>
#include <string_view>
#include <utility>

#include "runtime/occupancy.h"
#include "runtime/runtime.h"

namespace cudasim {

void count_host_call(CallsOfHost& calls, const char* call) {
  const std::string_view name(call);
  const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has("Launch") || has("<<<")) {
    ++calls.launch;
  } else if (has("Memset")) {
    ++calls.memset;
  } else if (has("Memcpy")) {
    ++calls.copy;
  } else if (has("SetAttribute") || has("SetCacheConfig") || has("SetSharedMemConfig")) {
    ++calls.attribute;
  } else if (has("Synchronize")) {
    ++calls.sync;
  } else {
    ++calls.other;
  }
}

std::shared_ptr<LaunchTiming> begin_timing(Runtime& runtime, const KernelInfo& info, const Launch& launch,
                                           const StreamName& stream) {
  auto timing = std::make_shared<LaunchTiming>();
  timing->latencies = *runtime.settings().timing;
  timing->host_calls_before = std::exchange(runtime.host_calls, {});
  if (timing->host_calls_before.launch != 0) --timing->host_calls_before.launch;  // its own
  timing->in_graph = stream.is_branch();
  timing->blocks_a_multiprocessor = resident_blocks(info, static_cast<std::uint32_t>(launch.block.count()),
                                                    launch.dynamic_shared_bytes, *runtime.settings().schedule.gpu);
  timing->streams = runtime.work.streams_used(stream);
  return timing;
}

}  // namespace cudasim
