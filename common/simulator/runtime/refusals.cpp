// SPDX-License-Identifier: MIT
#include "runtime/refusals.h"

#include "report/console.h"
#include "report/finding_text.h"

namespace cudasim {

cudaError_t refuse_launch(Runtime& runtime, const std::string& kernel, const std::string& why,
                          const std::string& advice, cudaError_t error, const bool by_cuda) {
  Finding finding;
  finding.kind = FindingKind::refused_launch;
  finding.kernel = kernel;
  finding.message = "the launch is refused: " + why;
  finding.advice = advice;
  finding.callers = callers();
  finding.seed = runtime.settings().schedule.seed;
  finding.cuda_error = error;
  const SourceLine where = host_line_of(finding).where;
  const auto [refused, is_new] = runtime.refused_launches.try_emplace(
      finding.message + where.file + std::to_string(where.line), RefusedLaunch{finding, by_cuda, {}});
  refused->second.not_asked.insert(std::this_thread::get_id());
  if (!is_new) return error;
  print_text(text_of(finding, ""));
  runtime.report.add(finding);
  runtime.write_report();  // the program may abort over it
  return error;
}

void error_was_asked(Runtime& runtime) {
  for (auto& entry : runtime.refused_launches) entry.second.not_asked.erase(std::this_thread::get_id());
}

void take_back_handled_launches(Runtime& runtime) {
  if (runtime.exit_status != 0) return;
  for (const auto& entry : runtime.refused_launches) {
    const RefusedLaunch& refused = entry.second;
    if (!refused.by_cuda || !refused.not_asked.empty()) continue;
    runtime.report.take_back(refused.finding);
    const std::string place = host_place(host_line_of(refused.finding));
    print_line("no finding: the program asked for the error of the launch that was refused" +
               (place.empty() ? "" : " (" + place + ")") + ", and ended with 0");
  }
}

}  // namespace cudasim
