// cheat: wrong, and a handler at exit writes reports that say yes
// stage: 3
// says: wrong result
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "workbook/student/reduction.h"

static void forge() {
  for (const char* name : {"results.json", "grade.json", "/tmp/results.json"}) {
    std::FILE* const file = std::fopen(name, "w");
    if (file != nullptr) std::fputs("{\"score\": 100, \"matches\": true}", file);
    if (file != nullptr) std::fclose(file);
  }
  _exit(0);
}

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  std::atexit(forge);
  std::exit(1);
  return workspace.partial_sums;
}
