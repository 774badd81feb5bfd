// SPDX-License-Identifier: MIT
// What the runtime knows for an estimate of the time: the calls of the host, and occupancy.
#include <memory>
#include <string_view>
#include <utility>

#include "runtime/occupancy.h"
#include "runtime/runtime.h"

namespace cudasim {
namespace {

/// Where several texts are linked, no single one gives the answer.
Ptxas::Answer ask_ptxas(Runtime& runtime, const KernelRecord& kernel) {
  const Settings& settings = runtime.settings();
  if (settings.ptxas.empty() || kernel.module->ptx.size() != 1) return {};
  if (runtime.ptxas == nullptr)
    runtime.ptxas = std::make_unique<Ptxas>(settings.ptxas, settings.registers_file, settings.schedule.gpu->capability);
  return runtime.ptxas->ask(kernel.module->ptx.front(), kernel.name);
}

}  // namespace

void count_call_of_host(CallsOfHost& calls, const char* call) {
  const std::string_view name(call);
  const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (calls.is_before_first && has("EventRecord")) {
    calls = {};
    calls.since_event = true;
  } else if (has("Launch") || has("<<<")) {
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

std::shared_ptr<LaunchTiming> begin_timing(Runtime& runtime, const KernelRecord& kernel, const Launch& launch,
                                           const StreamName& stream) {
  auto timing = std::make_shared<LaunchTiming>();
  timing->latencies = *runtime.settings().timing;
  timing->calls_before = std::exchange(runtime.calls_of_host, {});
  runtime.calls_of_host.is_before_first = false;
  if (timing->calls_before.launch != 0) --timing->calls_before.launch;  // its own
  timing->in_graph = stream.is_branch();
  timing->l2 = runtime.warm_l2;
  timing->streams = runtime.work.streams_used(stream);
  const Ptxas::Answer answer = ask_ptxas(runtime, kernel);
  timing->registers = answer.registers;
  timing->spilled_bytes = answer.spilled_bytes;
  KernelInfo info = kernel.module->module->info(kernel.name);
  if (answer.registers != 0) info.registers = answer.registers;
  timing->blocks_a_multiprocessor = resident_blocks(info, static_cast<std::uint32_t>(launch.block.count()),
                                                    launch.dynamic_shared_bytes, *runtime.settings().schedule.gpu);
  return timing;
}

}  // namespace cudasim
