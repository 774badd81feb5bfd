// SPDX-License-Identifier: MIT
#include "cudart/refusals.h"

#include "report/console.h"
#include "report/finding_text.h"

namespace cudasim {

cudaError_t refuse_launch(Runtime& runtime, const std::string& kernel, const std::string& why,
                          const std::string& advice, cudaError_t error) {
  Finding finding;
  finding.kind = FindingKind::refused_launch;
  finding.kernel = kernel;
  finding.message = "the launch is refused: " + why;
  finding.advice = advice;
  finding.callers = callers();
  finding.seed = runtime.settings().schedule.seed;
  finding.cuda_error = error;
  const SourceLine where = host_line_of(finding).where;
  if (!runtime.told.insert("refused/" + finding.message + where.file + std::to_string(where.line)).second) return error;
  print_text(text_of(finding, ""));
  runtime.report.add(finding);
  runtime.write_report();  // the program may abort over it
  return error;
}

}  // namespace cudasim
