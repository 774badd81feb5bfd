// SPDX-License-Identifier: MIT
#include "report/trace_report.h"

#include <nlohmann/json.hpp>

#include "base/demangle.h"

namespace cudasim {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(AccessTrace::Action action) {
  switch (action) {
    case AccessTrace::Action::load:
      return "load";
    case AccessTrace::Action::store:
      return "store";
    case AccessTrace::Action::atomic:
      return "atomic";
    case AccessTrace::Action::shuffle:
      return "shuffle";
  }
  return "";
}

const char* name_of_memory(bool is_shared) { return is_shared ? "shared" : "global"; }

Json json_of(const AccessTrace::Event& event, const AccessTrace::Launch& launch) {
  const auto& instruction = launch.instructions[event.instruction];
  const bool is_shuffle = instruction.action == AccessTrace::Action::shuffle;
  Json json{{"instruction", event.instruction}, {"warp", event.warp}, {"step", event.step}, {"mask", event.mask}};
  if (!is_shuffle) json["array"] = event.array;
  if (!is_shuffle && !instruction.is_shared) json["sectors"] = event.sectors;
  if (!is_shuffle && instruction.is_shared) {
    json["wavefronts"] = event.wavefronts;
    json["least_wavefronts"] = event.least_wavefronts;
  }
  Json& values = json[is_shuffle ? "from" : "offsets"] = Json::array();
  const std::uint64_t base = is_shuffle ? 0 : launch.arrays[event.array].address;
  for (Mask m = event.mask; m != 0; m &= m - 1)
    values.push_back(static_cast<std::int64_t>(event.values[static_cast<unsigned>(__builtin_ctz(m))] - base));
  return json;
}

Json json_of(const AccessTrace::Launch& launch) {
  Json json{{"kernel", demangle(launch.kernel)},
            {"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
            {"block", {launch.block.x, launch.block.y, launch.block.z}},
            {"left_out", launch.left_out},
            {"idle_loads", launch.idle_loads},
            {"idle_stores", launch.idle_stores},
            {"instructions", Json::array()},
            {"arrays", Json::array()},
            {"events", Json::array()}};
  for (const auto& instruction : launch.instructions) {
    Json each{
        {"file", instruction.where.file}, {"line", instruction.where.line}, {"action", name_of(instruction.action)}};
    for (const SourceLine& line : instruction.inlined)
      each["inlined"].push_back({{"file", line.file}, {"line", line.line}});
    if (instruction.action != AccessTrace::Action::shuffle) {
      each["memory"] = name_of_memory(instruction.is_shared);
      each["bytes"] = instruction.bytes;
      if (instruction.counted_bytes != instruction.bytes) {
        each["counted_bytes"] = instruction.counted_bytes;
        each["counted_from"] = instruction.counted_from;
      }
      if (instruction.in_rows) each["in_rows"] = true;
    }
    json["instructions"].push_back(each);
  }
  for (const auto& array : launch.arrays) {
    json["arrays"].push_back({{"memory", name_of_memory(array.is_shared)},
                              {"name", variable_name(array.name)},
                              {"allocation", array.id},
                              {"address", array.address},
                              {"bytes", array.bytes}});
  }
  for (const auto& event : launch.events) json["events"].push_back(json_of(event, launch));
  return json;
}

}  // namespace

std::string json_of(const AccessTrace& trace) {
  Json json{{"format", 1}, {"block", trace.block()}, {"launches", Json::array()}};
  for (const auto& launch : trace.launches()) json["launches"].push_back(json_of(launch));
  return json.dump() + "\n";
}

}  // namespace cudasim
