// SPDX-License-Identifier: MIT
#include "checkers/init/initialised.h"

#include <algorithm>

#include "checkers/registry/checks.h"
#include "messages/describe_address.h"

namespace cudasim {
namespace {

std::string key_of(const std::string& kernel, int ptx_line, std::uint32_t more) {
  return kernel + "/" + std::to_string(ptx_line) + "/" + std::to_string(more);
}

std::string value_of(const ValueOrigin& origin) {
  switch (origin.source) {
    case ValueOrigin::Source::global:
      if (origin.stored) return "a value of global memory that was computed from what nothing wrote";
      return "a value of global memory that nothing wrote";
    case ValueOrigin::Source::shared:
      return "a value of shared memory that nothing wrote";
    case ValueOrigin::Source::local:
      return "a variable or array of the thread that nothing wrote";
    case ValueOrigin::Source::shuffle:
      return "a value that was shuffled from a lane which takes no part (" + origin.absent + ")";
  }
  return "";
}

const char* advice_for(const ValueOrigin& origin) {
  switch (origin.source) {
    case ValueOrigin::Source::global:
      return "memory from cudaMalloc holds anything: write it first, with cudaMemset, cudaMemcpy or a kernel "
             "(the size of the first two is in bytes), and check that the index stays inside of what was written";
    case ValueOrigin::Source::shared:
      return "shared memory holds anything when a block begins: let the block write every element that it reads, with "
             "__syncthreads() between";
    case ValueOrigin::Source::local:
      return "give it an initial value, on every way through the code";
    case ValueOrigin::Source::shuffle:
      if (!origin.named) return "name the lane in the mask, and let it call the function, or do not use its value";
      return "let all lanes that are read from call the function too (with a value that changes nothing, as 0 in a "
             "sum), "
             "or do not use their values";
  }
  return "";
}

/// A kernel of another stream that has not run yet may write this memory, so the finding is not certain.
std::string advice_on_late_kernel(const std::string& advice) {
  return "if that kernel is to write it: put both into one stream, or wait between them (cudaStreamWaitEvent, "
         "cudaStreamSynchronize; in a graph, let the later node depend on the other); if not, " +
         advice;
}

constexpr std::uint64_t kWordBytes = 4;
/// A gap of this length is not padding between the members of a struct.
constexpr std::uint64_t kLongerThanPaddingBytes = 16;
/// In a copy of this size, missing words at irregular distances are hardly the padding of a few structs.
constexpr std::uint64_t kArrayBytes = 256;

}  // namespace

FindingKind kind_of(const ValueOrigin& origin) {
  return origin.source == ValueOrigin::Source::shuffle ? FindingKind::shuffle_source : FindingKind::uninitialised;
}

void describe_use(Finding& f, ValueUse use, const ValueOrigin& origin) {
  f.kind = kind_of(origin);
  f.allocation = origin.memory;
  f.callers = origin.callers;
  f.other = origin.load;
  f.advice = advice_for(origin);
  std::string value = value_of(origin);
  if (!origin.late.empty()) {
    value = "a value of global memory that nothing had written yet (" + origin.late + ")";
    f.advice = advice_on_late_kernel(f.advice);
  }
  switch (use) {
    case ValueUse::address:
      f.use = "address";
      f.message = "an address is computed from " + value;
      break;
    case ValueUse::branch:
      f.use = "branch";
      f.message = "a condition depends on " + value;
      break;
    case ValueUse::result:
      f.use = "result";
      f.message = "a result is computed from " + value;
      break;
  }
}

std::uint32_t InitChecker::add(const ValueOrigin& origin) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto [position, is_new] = origin_numbers_.try_emplace(
      key_of(origin.kernel, origin.load.ptx_line, static_cast<std::uint32_t>(origin.source) * 2 + origin.stored) +
          origin.absent + origin.late,
      origins_.size() + 1);
  if (is_new) origins_.push_back(origin);
  return position->second;
}

ValueOrigin InitChecker::origin(std::uint32_t number) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return number == 0 ? ValueOrigin{} : origins_[number - 1];
}

std::uint32_t InitChecker::add_store(const Finding& finding, std::uint32_t origin) {
  const std::lock_guard<std::mutex> lock(mutex_);
  // One finding for a pair of lines: an unrolled loop has many instructions at one line.
  std::string key = key_of(finding.kernel, finding.ptx_line, origin);
  if (finding.where.line > 0 && finding.other && finding.other->where.line > 0) {
    const auto& load = finding.other->where;
    key = key_of(finding.kernel + finding.where.file, finding.where.line, static_cast<std::uint32_t>(load.line)) +
          load.file;
  }
  const auto [position, is_new] = store_numbers_.try_emplace(key, stores_.size());
  if (is_new) stores_.push_back({finding, origin});
  return position->second;
}

void InitChecker::stored(std::uint32_t store, const std::uint64_t* addresses, const StoredValues::Thread* threads,
                         unsigned count) {
  const std::lock_guard<std::mutex> lock(mutex_);
  stored_.put(store, addresses, threads, count);
}

void InitChecker::stored_lines(std::uint32_t store, std::uint64_t address, const StoredValues::WholeWarp& by) {
  const std::lock_guard<std::mutex> lock(mutex_);
  stored_.put_lines(store, address, by);
}

InitChecker::StoredOrigin InitChecker::origin_of_stored(std::uint64_t address, const std::string& kernel) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto entry = stored_.find(address);
  if (!entry) return {};
  const Store& store = stores_[entry->store];
  return {store.origin, store.finding.kernel == kernel};
}

void InitChecker::look_at_row(Result& result, const Allocation& allocation, std::uint64_t offset,
                              std::uint64_t bytes) const {
  result.bytes += bytes;
  const std::uint64_t* bits = allocation.written.get();
  if (written::all(bits, offset, bytes)) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::uint64_t end = offset + bytes;
  result.gaps.begin_row();
  for (std::uint64_t begin = written::find(bits, offset, end, false); begin < end;
       begin = written::find(bits, begin, end, false)) {
    const std::uint64_t run_end = written::find(bits, begin, end, true);
    std::uint64_t run = 0;  // of bytes that nothing wrote
    const std::uint64_t run_begin = begin;
    std::uint64_t first = begin;
    auto close = [&] {
      if (run > result.longest) {
        result.longest = run;
        result.first = allocation.address + first;
      }
      result.unwritten += run;
      const std::uint64_t aligned = (first + kWordBytes - 1) / kWordBytes * kWordBytes;
      if (run >= kWordBytes && aligned + kWordBytes <= first + run) result.gaps.add(first);
      run = 0;
    };
    while (begin < run_end) {
      if (stored_.empty()) {
        first = begin;
        run = run_end - begin;
        begin = run_end;
        break;
      }
      const auto entry = stored_.find(allocation.address + begin);
      if (!entry) {
        if (run == 0) first = begin;
        ++run;
        ++begin;
        continue;
      }
      close();
      const std::uint32_t width = stores_[entry->store].finding.access_bytes;
      // A copy of a struct may move the bytes of its padding one by one.
      const bool counts = width >= kWordBytes || run_end - run_begin >= kWordBytes || run_end - run_begin == bytes;
      if (counts && ++result.by_store[entry->store] == 1) result.store_place[entry->store] = allocation.address + begin;
      begin += width;
    }
    close();
    begin = run_end;
  }
}

std::vector<Finding> InitChecker::findings_of(const Result& result, const Allocation& allocation, const Reader& reader,
                                              const std::string& late) const {
  std::vector<Finding> findings;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [store, count] : result.by_store) {
    Finding f = stores_[store].finding;
    const std::uint64_t place = result.store_place.at(store);
    if (const auto entry = stored_.find(place)) {
      f.block = entry->thread.block;
      f.thread = entry->thread.thread;
    }
    f.address = place;
    f.message += ", and " + reader.call + " " + reader.reads;
    f.occurrences = count;
    findings.push_back(std::move(f));
  }
  // A store that the table no longer holds looks like a place without a store.
  if (!findings.empty()) return findings;
  const bool counts = result.longest >= kLongerThanPaddingBytes ||
                      (result.unwritten != 0 && result.unwritten == result.bytes) ||
                      (result.bytes >= kArrayBytes && result.gaps.are_no_padding());
  if (!counts) return findings;
  Finding f;
  f.kind = FindingKind::uninitialised;
  f.severity = Severity::defect;
  f.use = "result";
  f.message = std::to_string(result.unwritten) + " of the " + std::to_string(result.bytes) + " bytes that " +
              reader.call + " " + reader.read_bytes + " were " +
              (late.empty() ? "never written" : "not written yet (" + late + ")");
  f.advice =
      "check that a kernel was launched, and that it writes every element: the size of the grid, the guard `if (i < "
      "n)`, and the last elements";
  if (!late.empty()) f.advice = advice_on_late_kernel(f.advice);
  f.allocation = "from byte " + std::to_string(result.first - allocation.address) + " on (" +
                 std::to_string(result.longest) + " bytes in a row) of " + describe(allocation);
  f.callers = allocation.callers;
  f.address = result.first;
  f.access_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(result.longest, ~0u));
  findings.push_back(std::move(f));
  return findings;
}

void look_for_undefined_values(Checks& checks) { checks.init = std::make_unique<InitChecker>(); }

}  // namespace cudasim
