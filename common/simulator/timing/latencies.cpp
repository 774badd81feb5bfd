// SPDX-License-Identifier: MIT
#include "timing/latencies.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace cudasim {
namespace {

std::string latency_names() {
  std::string names;
  for (const LatencyName& each : kLatencyNames) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

bool read_latency(std::string_view name, const std::string& number, Latencies& latencies) {
  const auto* const found = std::find_if(std::begin(kLatencyNames), std::end(kLatencyNames),
                                         [&](const auto& each) { return name == each.name; });
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (found == std::end(kLatencyNames) || number.empty() || *end != 0 || !(value >= 0) || value > 1e6) return false;
  latencies.*found->field = value;
  return true;
}

}  // namespace

std::optional<Latencies> parse_latencies(std::string_view text, std::string& error) {
  if (text.empty() || text == "0") return std::nullopt;
  Latencies latencies;
  if (text == "1") return latencies;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(item.size() + 1, rest.size()));
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string number(item.substr(std::min(equals + 1, item.size())));
    if (read_latency(item.substr(0, equals), number, latencies)) continue;
    error = "is neither 1 nor a list of latencies in cycles, as l1=40,dram=690; the names are " + latency_names();
    return std::nullopt;
  }
  return latencies;
}

}  // namespace cudasim
