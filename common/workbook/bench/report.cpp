// SPDX-License-Identifier: MIT
// The layout of the benchmark's table and JSON.
#include "workbook/bench/report.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "workbook/program/report_json.h"

namespace workbook {
namespace {

Json spread_fields(const Spread& spread) {
  return Json{{"median", number(spread.median)},
              {"min", number(spread.min)},
              {"max", number(spread.max)},
              {"q1", number(spread.q1)},
              {"q3", number(spread.q3)}};
}

Json size_fields(const BenchResult& result, const SizeResult& row) {
  Json json{{"size", size_field(row.sizes)}, {"work", work_fields(row.work)}};
  if (!row.which.empty()) json["case"] = row.which;
  if (!row.skipped.empty()) {
    json["skipped"] = row.skipped;
    return json;
  }
  json["buffers"] = row.buffers;
  json["in_place"] = row.checked.in_place;
  json["in_l2"] = row.is_in_l2;
  if (row.samples > 0) {
    json["batch"] = row.times.batch;
    json["samples"] = row.samples;
    json["time_us"] = spread_fields(row.times.stage_us);
    json["clock_mhz"] = spread_fields(row.times.clock_mhz);
    json["of_peak"] = number(result.of_peak(row));
  }
  json["error"] = number(row.checked.error);
  json["error_u"] = number(row.checked.error_u);
  json["peers"] = Json::array();
  std::size_t present = 0;
  for (const Peer& peer : row.peers) {
    Json fields{{"name", peer.name}};
    if (peer.tuned_for != 0) fields["tuned_for"] = peer.tuned_for;
    if (!peer.missing.empty()) {
      fields["missing"] = peer.missing;
    } else {
      fields["error_u"] = number(row.checked.peers_error_u.at(present));
      if (row.samples > 0) fields["time_us"] = spread_fields(row.times.peers_us.at(present));
      ++present;
    }
    json["peers"].push_back(fields);
  }
  json["matches"] = row.checked.matches;
  if (!row.checked.matches) json["reason"] = row.checked.reason;
  return json;
}

// Whether arithmetic takes longer than memory. The limit is that of scripts/workbook_lib/measure/bench_data.py.
bool is_compute_bound(const SizeResult& row) {
  return row.work.operations > 16.0 * (row.work.bytes_read + row.work.bytes_written);
}

// The head of the column for elements a second; "" where the unit has no such rate.
std::string rate_head(const SizeResult& row) {
  if (row.work.unit == "keys") return "Gkey/s";
  return row.work.unit == "queries" ? "Gquery/s" : "";
}

void write_arithmetic(std::ostream& text, const BenchResult& result, const SizeResult& row) {
  text << std::setprecision(2) << std::setw(10) << row.work.operations / row.times.stage_us.median / 1e6
       << std::setprecision(1) << std::setw(7) << 100.0 * result.of_peak(row) << " %" << std::setprecision(0)
       << std::setw(7) << row.times.clock_mhz.median;
}

void write_times(std::ostream& text, const SizeResult& row, const CopySpeed& copy) {
  const double time_us = row.times.stage_us.median;
  const double gb_s = (row.work.bytes_read + row.work.bytes_written) / time_us / 1000.0;
  text << std::fixed << std::setprecision(2) << std::setw(12) << time_us << std::setprecision(0) << std::setw(8) << gb_s
       << std::setprecision(1) << std::setw(7) << 100.0 * gb_s / copy.gb_s << " %" << std::setprecision(2);
  for (const Spread& peer_us : row.times.peers_us) {
    text << std::setw(12) << peer_us.median << std::setw(12) << time_us / peer_us.median;
  }
}

}  // namespace

bool BenchResult::matches() const {
  return std::all_of(sizes.begin(), sizes.end(), [](const SizeResult& row) { return row.checked.matches; });
}

double BenchResult::of_peak(const SizeResult& row) const {
  if (row.samples == 0 || facts.fp32_lanes == 0) return 0.0;
  return row.work.operations / row.times.stage_us.median / (2.0 * facts.fp32_lanes * row.times.clock_mhz.median);
}

std::string text_bench_report(const Stage& stage, const Problem& problem, const BenchResult& result) {
  std::ostringstream text;
  text << "Stage " << stage.number << " " << problem.name() << ", " << stage.title << " (" << stage.source << ")\n"
       << "Device: " << result.device.name << ", " << text_of(result.settings.block) << " threads a block\n";
  for (const Peer& peer : result.peers) {
    text << "Peer: " << peer.name << (peer.missing.empty() ? "" : " (not measured: " + peer.missing + ")") << "\n";
  }
  const bool timed = result.copy.bytes > 0;
  if (timed) {
    text << "Copy of " << result.copy.bytes << " bytes on the device: " << std::fixed << std::setprecision(0)
         << result.copy.gb_s << " GB/s, read and written\n"
         << "A launch that does nothing: " << std::setprecision(2) << result.empty_launch_us << " us\n";
  }
  const bool computes = timed && std::any_of(result.sizes.begin(), result.sizes.end(), is_compute_bound);
  std::size_t width = 0;  // of the column that tells rows of one size apart
  for (const SizeResult& row : result.sizes) width = std::max(width, row.which.size());
  const auto which = [width](const std::string& words) {
    return width == 0 ? "" : "  " + words + std::string(width - words.size(), ' ');
  };
  const std::string rate = timed && !result.sizes.empty() ? rate_head(result.sizes.front()) : "";
  text << "\n" << std::setw(14) << "size" << which("");
  if (timed) {
    text << "    stage us    GB/s  of copy";
    for (const Peer& peer : result.peers) text << (peer.missing.empty() ? "     peer us  stage/peer" : "");
  }
  if (!rate.empty()) text << std::setw(10) << rate;
  if (computes) text << "   TFLOP/s  of peak    MHz";
  text << "   error/u\n";
  for (const SizeResult& row : result.sizes) {
    text << std::setw(14) << text_of(row.sizes) << which(row.which);
    if (!row.skipped.empty()) {
      text << "  skipped: " << row.skipped << "\n";
    } else if (!row.checked.matches) {
      text << "  does not match: " << row.checked.reason << "\n";
    } else {
      if (timed) write_times(text, row, result.copy);
      if (!rate.empty()) text << std::setw(10) << row.work.elements / row.times.stage_us.median / 1000.0;
      if (computes) write_arithmetic(text, result, row);
      text << std::fixed << std::setprecision(2) << std::setw(10) << row.checked.error_u
           << (row.is_in_l2 ? "  all inputs fit in the L2 cache" : "") << "\n";
    }
  }
  if (computes) {
    text << "\nof peak: of what all FP32 lanes can do, two operations a cycle, at the clock of the multiprocessors "
            "(MHz), "
            "which is read behind each sample\n";
  }
  return text.str();
}

std::string json_bench_report(const Stage& stage, const Problem& problem, const BenchResult& result) {
  Json json = stage_fields(stage);
  json["problem"] = problem.name();
  json["device"] = result.device.name;
  json["simulated"] = result.device.is_simulated;
  add_settings(json, problem, result.settings);
  json["peers"] = Json::array();
  for (const Peer& peer : result.peers) json["peers"].push_back(peer.name);
  json["l2_bytes"] = result.facts.l2_bytes;
  json["fp32_lanes"] = result.facts.fp32_lanes;
  json["compute_capability"] = result.facts.compute_capability;
  // A kernel that needs a compute capability is compiled for that one, whatever the target of the other code is.
  json["compiled_for"] =
      stage.compute_capability > 0 ? std::vector<int>{stage.compute_capability} : result.facts.compiled_for;
  const bool timed = result.copy.bytes > 0;
  json["copy_gb_s"] = timed ? number(result.copy.gb_s) : Json(nullptr);
  json["copy_bytes"] = timed ? Json(result.copy.bytes) : Json(nullptr);
  json["empty_launch_us"] = timed ? number(result.empty_launch_us) : Json(nullptr);
  json["matches"] = result.matches();
  json["sizes"] = Json::array();
  for (const SizeResult& row : result.sizes) json["sizes"].push_back(size_fields(result, row));
  return json.dump() + "\n";
}

}  // namespace workbook
