// SPDX-License-Identifier: MIT
#include "runtime/refusals.h"

#include <utility>

#include "report/console.h"
#include "report/finding_text.h"
#include "report/host_lines.h"

namespace cudasim {

namespace {

cudaError_t report(Runtime& runtime, Finding finding, bool by_cuda) {
  finding.callers = callers();
  finding.seed = runtime.settings().schedule.seed;
  const auto error = static_cast<cudaError_t>(finding.cuda_error);
  const SourceLine where = host_line_of(finding).where;
  const auto [refused, is_new] = runtime.refused_calls.try_emplace(
      finding.message + where.file + std::to_string(where.line), RefusedCall{finding, by_cuda, {}});
  refused->second.not_asked.insert(std::this_thread::get_id());
  if (!is_new) return error;
  runtime.add_finding(finding);
  return error;
}

}  // namespace

cudaError_t refuse_launch(Runtime& runtime, const std::string& kernel, const std::string& why,
                          const std::string& advice, cudaError_t error, const bool by_cuda) {
  Finding finding;
  finding.kind = FindingKind::refused_launch;
  finding.kernel = kernel;
  finding.message = "the launch is refused: " + why;
  finding.advice = advice;
  finding.cuda_error = error;
  return report(runtime, std::move(finding), by_cuda);
}

cudaError_t refuse_copy(Runtime& runtime, const char* call, const std::string& why, cudaError_t error) {
  const char* const driver_call = driver_call_under_way();
  Finding finding;
  finding.kind = FindingKind::refused_copy;
  finding.message = std::string(driver_call != nullptr ? driver_call : call) + " is refused: " + why;
  finding.advice = words_of(finding.kind).advice;
  finding.cuda_error = error;
  return report(runtime, std::move(finding), true);
}

cudaError_t refuse_call(Runtime& runtime, const char* call, const std::string& why, const std::string& advice,
                        cudaError_t error) {
  Finding finding;
  finding.kind = FindingKind::refused_call;
  finding.message = std::string(call) + " is refused: " + why;
  finding.advice = advice;
  finding.cuda_error = error;
  return report(runtime, std::move(finding), true);
}

void error_was_asked(Runtime& runtime) {
  for (auto& entry : runtime.refused_calls) entry.second.not_asked.erase(std::this_thread::get_id());
}

void take_back_handled_calls(Runtime& runtime) {
  if (runtime.exit_status != 0) return;
  for (const auto& entry : runtime.refused_calls) {
    const RefusedCall& refused = entry.second;
    if (!refused.by_cuda || !refused.not_asked.empty()) continue;
    runtime.report.take_back(refused.finding);
    const std::string place = host_place(host_line_of(refused.finding));
    const char* what = refused.finding.kind == FindingKind::refused_launch ? "launch" : "call";
    print_line(std::string("no finding: the program asked for the error of the ") + what + " that was refused" +
               (place.empty() ? "" : " (" + place + ")") + ", and ended with 0");
  }
}

}  // namespace cudasim
