// SPDX-License-Identifier: MIT
#include "report/timing_report.h"

#include <nlohmann/json.hpp>

#include "timing/launch_timing.h"

namespace cudasim {

nlohmann::ordered_json json_of(const LaunchTiming& timing) {
  using Json = nlohmann::ordered_json;
  Json json{{"registers", timing.registers},
            {"spilled_bytes", timing.spilled_bytes},
            {"blocks_a_multiprocessor", timing.blocks_a_multiprocessor}};
  json["classes"] = Json::object();
  for (std::size_t i = 0; i < kInstructionClasses; ++i)
    json["classes"][name_of(static_cast<InstructionClass>(i))] = timing.classes[i];
  json["tensor_shapes"] = Json::object();
  for (const auto& [shape, times] : timing.tensor_shapes) json["tensor_shapes"][shape] = times;
  json["instructions_without_rate"] = timing.without_rate;
  const UpdateQueues::Queue& queue = timing.longest_queue;
  json["atomics"] =
      Json{{"longest_queue", queue.updates},     {"requests", queue.requests}, {"width", queue.width},
           {"is_reduction", queue.is_reduction}, {"is_shared", false},         {"floating", queue.is_floating}};
  const GlobalAccesses::Totals& accesses = timing.accesses;
  json["lines"] = Json{{"load", accesses.load_lines}, {"store", accesses.store_lines}};
  json["store_sectors"] = Json{{"whole", accesses.whole_sectors}, {"partial", accesses.partial_sectors}};
  json["footprint_bytes"] = Json{{"load", 32 * accesses.load_footprint}, {"store", 32 * accesses.store_footprint}};
  json["random_loads"] = accesses.random_loads;
  const CallsOfHost& calls = timing.calls_before;
  json["host_calls_before"] = Json{{"launch", calls.launch},       {"memset", calls.memset}, {"copy", calls.copy},
                                   {"attribute", calls.attribute}, {"other", calls.other},   {"sync", calls.sync}};
  json["streams"] = timing.streams;
  json["in_graph"] = timing.in_graph;
  const BlockWaits::Result& waits = timing.waits;
  json["waiting"] = Json{{"blocks", waits.blocks},
                         {"longest_chain", waits.longest_chain},
                         {"widest_look", waits.widest_look},
                         {"unknown", waits.is_unknown}};
  json["sample"] = nullptr;
  return json;
}

}  // namespace cudasim
