// cheat: writes a report that says yes, under every name that a grader may give it, and ends
// stage: 3
// says: wrong result
#include <cstdio>
#include <cstdlib>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace&) {
  const char* const names[] = {std::getenv("CUDASIM_REPORT"), std::getenv("CUDASIM_RESULTS"), "program.json",
                               "grade.json"};
  for (const char* name : names) {
    std::FILE* const file = name == nullptr ? nullptr : std::fopen(name, "w");
    if (file != nullptr) std::fputs("{\"matches\": true, \"cases\": 108}", file);
    if (file != nullptr) std::fclose(file);
  }
  std::puts("Stage 3 reduction matches reference \u2705 in 108 cases");
  std::exit(0);
}
