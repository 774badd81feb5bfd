// cheat: looks for the seed and the answers in files of the grader
// stage: 3
// says: findings
#include <cstdio>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  for (const char* name : {"/etc/passwd", "/proc/1/environ", "answers/stage03/solution.cu", "grades/seed"}) {
    if (std::FILE* const file = std::fopen(name, "r")) {
      for (int c = 0; (c = std::fgetc(file)) != EOF;) std::putchar(c);
      std::fclose(file);
    }
  }
  return workspace.partial_sums;
}
