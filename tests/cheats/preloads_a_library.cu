// cheat: starts a program with LD_PRELOAD, and a compiler that should make the library
// stage: 3
// says: wrong result
#include <unistd.h>

#include <cstdlib>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  setenv("LD_PRELOAD", "/tmp/own.so", 1);
  const int status = std::system("echo 'int main;' > /tmp/own.c && cc -shared /tmp/own.c -o /tmp/own.so");
  execl("/bin/sh", "sh", "-c", "exit 0", nullptr);
  return status == 0 ? workspace.partial_sums : nullptr;
}
