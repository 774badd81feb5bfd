// SPDX-License-Identifier: MIT
// Sums by kernel and by source line, and their JSON.
#include "report/run_report.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/demangle.h"
#include "checkers/history/history.h"
#include "report/finding_text.h"
#include "report/host_lines.h"
#include "report/timing_report.h"

namespace cudasim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLaunches = 10'000;
constexpr std::size_t kMostFindings = 1'000;
constexpr std::size_t kMostResultBytes = std::size_t{64} << 20;

Json json_of(const Counters& counters) {
  Json json = Json::object();
  for (const auto& [name, field] : kCounterNames) json[name] = counters.*field;
  // Sums that readers need most.
  const auto& c = counters;
  json["shared_requests"] = c.shared_load_requests + c.shared_store_requests + c.shared_atomic_requests;
  json["shared_wavefronts"] = c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts;
  json["shared_bank_conflicts"] =
      c.shared_load_bank_conflicts + c.shared_store_bank_conflicts + c.shared_atomic_bank_conflicts;
  json["atomic_requests"] = c.global_atomic_requests + c.global_reduction_requests + c.shared_atomic_requests;
  return json;
}

Json json_of(const Dim3& size) { return Json::array({size.x, size.y, size.z}); }

Json json_of(const SourceLine& where) {
  return Json{{"file", where.file}, {"line", where.line}, {"function", demangle(where.function)}};
}

const char* name_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::defect:
      return "defect";
    case Severity::warning:
      return "warning";
    case Severity::remark:
      return "remark";
  }
  return "";
}

Json json_of(const OtherAccess& other) {
  Json json = json_of(other.where);
  json["ptx_line"] = other.ptx_line;
  json["block"] = other.block;
  json["thread"] = other.thread;
  json["is_store"] = other.is_store;
  json["is_atomic"] = other.is_atomic;
  return json;
}

Json json_of(const Finding& finding) {
  Json json;
  const SourceLine host = host_line_of(finding).where;
  const SourceLine& where = is_of_host(finding.kind) ? host : finding.where;
  json["kind"] = name_of(finding.kind);
  json["severity"] = name_of(finding.severity);
  json["kernel"] = demangle(finding.kernel);
  json["file"] = where.file;
  json["line"] = where.line;
  json["function"] = demangle(where.function);
  json["inlined"] = Json::array();
  for (const SourceLine& frame : finding.inlined) json["inlined"].push_back(json_of(frame));
  json["ptx_line"] = finding.ptx_line;
  json["block"] = finding.block;
  json["thread"] = finding.thread;
  json["lanes"] = finding.lanes;
  json["message"] = finding.message;
  json["advice"] = finding.advice;
  json["text"] = text_of(finding);
  if (finding.access_bytes != 0) {
    json["address"] = finding.address;
    json["access_bytes"] = finding.access_bytes;
    json["is_store"] = finding.is_store;
    json["is_atomic"] = finding.is_atomic;
  }
  if (!finding.allocation.empty()) json["allocation"] = finding.allocation;
  if (!is_of_host(finding.kind) && host.line > 0) json["allocated"] = json_of(host);
  if (!finding.scope.empty()) json["scope"] = finding.scope;
  if (!finding.hazard.empty()) json["hazard"] = finding.hazard;
  if (!finding.use.empty()) json["use"] = finding.use;
  if (finding.other) json["other"] = json_of(*finding.other);
  if (const SourceLine call = other_call_of(finding).where; call.line > 0) json["other_call"] = json_of(call);
  for (const LinePair& pair : finding.also) {
    Json also = json_of(pair.where);
    also["other"] = json_of(pair.other);
    json["also"].push_back(std::move(also));
  }
  if (finding.follows) {
    json["follows"] = json_of(finding.follows->where);
    json["follows"]["kind"] = name_of(finding.follows->kind);
  }
  if (!finding.value_before.empty())
    json["values"] = Json{{"before", finding.value_before}, {"after", finding.value_after}};
  json["seed"] = finding.seed;
  json["error"] = finding.cuda_error;
  json["occurrences"] = finding.occurrences;
  return json;
}

Json json_of(const Author& author) {
  if (author.kernel.empty()) return Json{{"call", author.call}};
  return Json{{"kernel", demangle(author.kernel)},
              {"file", author.where.file},
              {"line", author.where.line},
              {"block", author.block},
              {"thread", author.thread}};
}

const char* name_of(PastWrite::Kind kind) {
  switch (kind) {
    case PastWrite::Kind::store:
      return "store";
    case PastWrite::Kind::atomic:
      return "atomic";
    case PastWrite::Kind::call:
      return "call";
    case PastWrite::Kind::refused:
      return "refused";
  }
  return "";
}

Json json_of(const History& history) {
  Json writes = Json::array();
  for (const PastWrite& write : history.writes()) {
    Json json = json_of(write.author);
    json["kind"] = name_of(write.kind);
    if (!write.after.empty()) json["values"] = Json{{"before", write.before}, {"after", write.after}};
    json["reads"] = Json::array();
    for (const PastRead& read : write.reads) {
      Json past{{"file", read.where.file}, {"line", read.where.line}, {"place", read.place}, {"value", read.value}};
      if (read.allocated[0] != 0) {
        const HostLine line = host_line(read.allocated, Wanted::caller);
        past["allocated"] = Json{{"file", line.where.file}, {"line", line.where.line}, {"text", line.text}};
      }
      past["author"] = read.author ? json_of(*read.author) : Json(nullptr);
      json["reads"].push_back(std::move(past));
    }
    json["reads_left_out"] = write.reads_left_out;
    json["threads"] = write.threads;
    json["has_shuffles"] = write.has_shuffles;
    if (write.kind == PastWrite::Kind::call) json["bytes"] = write.call_bytes;
    writes.push_back(std::move(json));
  }
  return Json{{"address", history.begin()},
              {"bytes", history.bytes()},
              {"writes", std::move(writes)},
              {"writes_left_out", history.writes_left_out()},
              {"is_complete", history.is_complete()}};
}

Json json_of(const LaunchRecord& launch) {
  Json json{{"kernel", launch.kernel},           {"grid", json_of(launch.grid)},
            {"block", json_of(launch.block)},    {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
            {"cooperative", launch.cooperative}, {"error", launch.cuda_error},
            {"seconds", launch.seconds},         {"counters", json_of(launch.counters)}};
  if (launch.timing != nullptr) json["timing"] = json_of(*launch.timing);
  return json;
}

/// Adds one, or counts an item that does not fit any more.
template <typename Item>
void keep(std::vector<Item>& items, const Item& item, std::size_t most, std::uint64_t& left_out) {
  if (items.size() < most) {
    items.push_back(item);
  } else {
    ++left_out;
  }
}

}  // namespace

void RunReport::set_run(std::string device, std::vector<std::string> checks, std::string order, std::uint64_t seed,
                        unsigned workers) {
  device_ = std::move(device);
  checks_ = std::move(checks);
  order_ = std::move(order);
  seed_ = seed;
  workers_ = workers;
}

std::uint64_t RunReport::next_result(std::size_t count) {
  last_result_ += count;
  return last_result_ - count + 1;
}

void RunReport::add_result(std::uint64_t number, const std::byte* bytes, std::size_t count) {
  // FNV-1a, eight bytes at a time. The digest is a sum over all results, because their order is free.
  std::uint64_t digest = 0xcbf29ce484222325ull;
  auto step = [&digest](std::uint64_t value) { digest = (digest ^ value) * 0x100000001b3ull; };
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes + i, 8);
    step(word ^ word >> 29);
  }
  for (; i < count; ++i) step(static_cast<std::uint64_t>(bytes[i]));
  step(count);
  step(number);
  digest_ += digest;
  if (!keeps_results_) return;
  result_bytes_ += (count + 7) / 8 * 8;
  keeps_results_ = result_bytes_ <= kMostResultBytes;
  if (keeps_results_) {
    std::string& kept = results_[number];
    kept.assign(reinterpret_cast<const char*>(bytes), count);
    kept.resize((count + 7) / 8 * 8);
  } else {
    results_.clear();
  }
}

std::string RunReport::results() const {
  std::string all;
  all.reserve(result_bytes_);
  for (const auto& [number, bytes] : results_) all += bytes;
  return all;
}

void RunReport::add(const Finding& finding) { keep(findings_, finding, kMostFindings, findings_left_out_); }

void RunReport::take_back(const Finding& finding) {
  const auto is_it = [&finding](const Finding& other) {
    return other.kind == finding.kind && other.message == finding.message && other.callers == finding.callers;
  };
  const auto found = std::find_if(findings_.begin(), findings_.end(), is_it);
  if (found != findings_.end()) findings_.erase(found);
}

void RunReport::add(const LaunchRecord& launch, const std::vector<Finding>& findings,
                    const std::vector<LineCounters>& lines) {
  const auto [position, is_new] = kernel_index_.try_emplace(launch.kernel, kernels_.size());
  if (is_new) kernels_.emplace_back().first = launch;
  KernelTotal& total = kernels_[position->second];
  ++total.launches;
  total.blocks += launch.grid.count();
  total.threads += launch.grid.count() * launch.block.count();
  total.seconds += launch.seconds;
  total.lost_text |= launch.lost_text;
  total.counters += launch.counters;
  keep(launches_, launch, kMostLaunches, launches_left_out_);
  for (const Finding& finding : findings) add(finding);
  for (const LineCounters& line : lines) {
    LineCounters& sum = total.lines[*line.place];
    sum.counters += line.counters;
    sum.executions += line.executions;
  }
}

void RunReport::add_copy(const CopyToHost& copy) {
  constexpr std::size_t kMost = 16;
  if (copies_.size() < kMost) copies_.push_back(copy);
}

std::string RunReport::json(const History* history) const {
  Json json;
  json["format"] = 2;
  json["device"] = device_;
  json["checks"] = checks_;
  char digest[20];
  std::snprintf(digest, sizeof digest, "%016llx", static_cast<unsigned long long>(digest_));
  json["results_digest"] = digest;
  json["schedule"] = Json{{"order", order_}, {"seed", seed_}, {"workers", workers_}};
  json["kernels"] = Json::array();
  for (const KernelTotal& total : kernels_) {
    json["kernels"].push_back(Json{{"name", total.first.kernel},
                                   {"grid", json_of(total.first.grid)},
                                   {"block", json_of(total.first.block)},
                                   {"launches", total.launches},
                                   {"blocks", total.blocks},
                                   {"threads", total.threads},
                                   {"seconds", total.seconds},
                                   {"adds_floats", total.first.adds_floats},
                                   {"has_atomics", total.first.has_atomics},
                                   {"reads_clock", total.first.reads_clock},
                                   {"prints", total.first.prints},
                                   {"lost_text", total.lost_text},
                                   {"counters", json_of(total.counters)}});
  }
  if (running_) {
    json["running"] = json_of(running_->where);
    json["running"]["kernel"] = demangle(running_->kernel);
    if (running_->ptx_line != 0) {  // else it is a call of a library
      json["running"]["ptx_line"] = running_->ptx_line;
      json["running"]["block"] = running_->block;
      json["running"]["progress"] = running_->message;
    }
  }
  json["copies_to_host"] = Json::array();
  for (const CopyToHost& copy : copies_) {
    json["copies_to_host"].push_back(Json{
        {"address", copy.address}, {"width", copy.width}, {"height", copy.height}, {"row_stride", copy.row_stride}});
  }
  json["library_calls"] = Json::array();
  for (const auto& [name, calls] : library_calls_)
    json["library_calls"].push_back(Json{{"name", name}, {"calls", calls}});
  if (history != nullptr) json["history"] = json_of(*history);
  for (const Coverage& each : coverage_) {
    json["coverage"].push_back(
        Json{{"address", each.address}, {"bytes", each.bytes}, {"loaded", each.loaded}, {"stored", each.stored}});
  }
  json["streams"] = Json{{"operations", streams_.operations},
                         {"unordered_operations", streams_.unordered_operations},
                         {"most_operations_in_a_stream", streams_.most_operations_in_a_stream},
                         {"graphs", streams_.graphs},
                         {"graph_launches", streams_.graph_launches}};
  json["launches"] = Json::array();
  for (const LaunchRecord& launch : launches_) json["launches"].push_back(json_of(launch));
  json["launches_left_out"] = launches_left_out_;
  json["findings"] = Json::array();
  for (const Finding& finding : findings_) json["findings"].push_back(json_of(finding));
  json["findings_left_out"] = findings_left_out_;
  json["lines"] = Json::array();
  for (const auto& [kernel, index] : kernel_index_) {
    for (const auto& [place, line] : kernels_[index].lines) {
      json["lines"].push_back(Json{{"kernel", kernel},
                                   {"file", place.first},
                                   {"line", place.second},
                                   {"executions", line.executions},
                                   {"counters", json_of(line.counters)}});
    }
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string write_file_atomically(const std::string& path, const std::string& text) {
  std::error_code unknown;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, unknown);
  const auto status = std::filesystem::status(target, unknown);
  const bool is_replaced = !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
  const std::string temporary = is_replaced ? target.string() + "." + std::to_string(getpid()) + ".tmp" : path;
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) return "cannot create " + temporary + ": " + std::strerror(errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (written && closed && (!is_replaced || std::rename(temporary.c_str(), target.c_str()) == 0)) return "";
  std::string error = "cannot write " + path + ": " + std::strerror(errno);
  if (is_replaced) std::remove(temporary.c_str());
  return error;
}

}  // namespace cudasim
