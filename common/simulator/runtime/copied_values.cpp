// SPDX-License-Identifier: MIT
#include "runtime/copied_values.h"

#include "checkers/history/history.h"
#include "report/finding_text.h"

namespace cudasim {

std::string key_of_early_read(const std::string& kernel, int ptx_line) {
  return "early/" + kernel + "/" + std::to_string(ptx_line);
}

CopiedValues::CopiedValues(Runtime& runtime, const char* call, const void* destination, const void* source)
    : runtime_(runtime), call_(call), address_(reinterpret_cast<std::uint64_t>(destination)) {
  if (runtime.checks() == nullptr) return;
  checker_ = runtime.checks()->init.get();
  covers_ = runtime.settings().checks.coverage;
  source_ = reinterpret_cast<std::uint64_t>(source);
  if (runtime.memory().find(address_) != nullptr) history_ = runtime.checks()->history.get();
  if (checker_ == nullptr) return;
  auto watched = [&](const void* pointer, std::uint64_t& begin) -> const Allocation* {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const Allocation* allocation = runtime.memory().find(address);
    if (allocation == nullptr || !allocation->written) return nullptr;
    begin = address - allocation->address;
    return allocation;
  };
  to_ = watched(destination, to_begin_);
  if (source != nullptr) from_ = watched(source, from_begin_);
}

void CopiedValues::row(std::size_t to_offset, std::size_t from_offset, std::size_t bytes) {
  if (history_ != nullptr) history_->host_wrote(call_, address_ + to_offset, bytes);
  if (covers_) cover_row(to_offset, from_offset, bytes);
  if (to_ != nullptr && from_ != nullptr) {
    written::copy(to_->written.get(), to_begin_ + to_offset, from_->written.get(), from_begin_ + from_offset, bytes);
  } else if (to_ != nullptr) {
    written::set(to_->written.get(), to_begin_ + to_offset, bytes);
  } else if (from_ != nullptr) {
    checker_->look_at_row(result_, *from_, from_begin_ + from_offset, bytes);
  }
}

void CopiedValues::cover_row(std::size_t to_offset, std::size_t from_offset, std::size_t bytes) const {
  const Allocation* const to = runtime_.memory().find(address_ + to_offset);
  if (to == nullptr || to->address == reinterpret_cast<std::uint64_t>(to->host)) return;  // the host's
  const std::uint64_t begin = address_ + to_offset - to->address, source = source_ + from_offset;
  const Allocation* const from = source_ == 0 ? nullptr : runtime_.memory().find(source);
  const bool is_known = from != nullptr && from->stored != nullptr;
  if (is_known) written::set(from->loaded.get(), source - from->address, bytes);
  if (to->stored == nullptr) return;  // constant memory
  if (is_known) {
    written::copy(to->stored.get(), begin, from->stored.get(), source - from->address, bytes);
  } else {
    written::clear(to->stored.get(), begin, bytes);
  }
}

void CopiedValues::count_as_written(Runtime& runtime, const TouchedPlaces& places) {
  const Allocation* allocation = runtime.memory().find(places.begin);
  if (allocation == nullptr || !allocation->written) return;
  places.for_each_row([allocation](std::uint64_t begin, std::uint64_t bytes) {
    written::set(allocation->written.get(), begin - allocation->address, bytes);
  });
}

void CopiedValues::report(const StreamWork& work) {
  if (from_ == nullptr || to_ != nullptr) return;
  for (Finding& finding : checker_->findings_of(result_, *from_, {call_}, runtime_.work.late_kernel(work))) {
    const int load = finding.other ? finding.other->ptx_line : 0;
    if (runtime_.reported.count(key_of_early_read(finding.kernel, load)) != 0) continue;
    if (finding.kernel.empty() && !runtime_.refused_calls.empty()) {
      const Finding& refused = runtime_.refused_calls.begin()->second.finding;
      finding.follows = Cause{refused.kind, host_line_of(refused).where};
    }
    // A program that copies the same in a loop gets one report.
    std::string key = "copied/" + finding.kernel + "/" + place_of(finding);
    key += finding.kernel.empty() ? std::to_string(from_->id) : std::to_string(finding.other->ptx_line);
    if (!runtime_.reported.insert(key).second) continue;
    runtime_.add_finding(finding);
  }
}

}  // namespace cudasim
