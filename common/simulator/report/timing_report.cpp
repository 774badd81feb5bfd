// SPDX-License-Identifier: MIT
#include "report/timing_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "timing/launch_timing.h"

namespace cudasim {
namespace {

using Json = nlohmann::ordered_json;

/// Counts are estimates here, so a tenth of one says nothing.
double rounded(double count) { return std::round(count * 10) / 10; }

Json json_of(const Sample& sample) {
  if (!sample.why_not.empty() || sample.blocks == 0) return nullptr;
  const DependentSteps& steps = sample.life.steps;
  return Json{{"blocks", sample.blocks},
              {"waves", sample.waves},
              {"cycles_alone", rounded(sample.life.cycles)},
              {"issue_cycles", rounded(sample.life.issue_cycles)},
              {"dependent_steps", Json{{"dram", rounded(steps.dram)},
                                       {"l2", rounded(steps.l2)},
                                       {"l1", rounded(steps.l1)},
                                       {"shared", rounded(steps.shared)}}},
              {"load_sectors", rounded(sample.load_sectors)},
              {"l1_hits", rounded(sample.l1_hits)},
              {"l2_hits", rounded(sample.l2_hits)},
              {"dram_read", rounded(sample.dram_read)},
              {"store_sectors", rounded(sample.store_sectors)},
              {"dram_write", rounded(sample.dram_write)},
              {"estimated", Json{{"l2_read_sectors", rounded(sample.l2_read_sectors)},
                                 {"l2_write_sectors", rounded(sample.l2_write_sectors)},
                                 {"l2_partial_sectors", rounded(sample.l2_partial_sectors)},
                                 {"dram_read_bytes", rounded(sample.dram_read_bytes)},
                                 {"dram_write_bytes", rounded(sample.dram_write_bytes)}}},
              {"cold", sample.is_cold}};
}

}  // namespace

nlohmann::ordered_json json_of(const LaunchTiming& timing) {
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
  json["load_passes"] = accesses.load_passes;
  json["store_sectors"] = Json{{"whole", accesses.whole_sectors}, {"partial", accesses.partial_sectors}};
  json["footprint_bytes"] = Json{{"load", 32 * accesses.load_footprint}, {"store", 32 * accesses.store_footprint}};
  json["random_loads"] = accesses.random_loads;
  const CallsOfHost& calls = timing.calls_before;
  json["host_calls_before"] = Json{{"launch", calls.launch},          {"memset", calls.memset}, {"copy", calls.copy},
                                   {"attribute", calls.attribute},    {"other", calls.other},   {"sync", calls.sync},
                                   {"since_event", calls.since_event}};
  json["streams"] = timing.streams;
  json["in_graph"] = timing.in_graph;
  const BlockWaits::Result& waits = timing.waits;
  json["waiting"] = Json{{"blocks", waits.blocks},
                         {"longest_chain", waits.longest_chain},
                         {"widest_look", waits.widest_look},
                         {"unknown", waits.is_unknown}};
  json["sample"] = json_of(timing.sample);
  if (json["sample"].is_null()) json["no_sample_because"] = timing.sample.why_not;
  return json;
}

}  // namespace cudasim
