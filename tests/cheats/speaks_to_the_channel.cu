// cheat: sends messages of its own to the judging program, as if its function had returned and a stranger asked on
// stage: 3
// says: wrong result
#include <sys/socket.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  int socket = -1;
  if (const char* const channel = std::getenv("WORKBOOK_CHANNEL")) std::sscanf(channel, "%d", &socket);
  for (std::uint32_t kind = 0; kind < 64; ++kind) {
    const std::uint32_t words[8] = {kind, 0xffffffffu, kind, 1, 2, 3, 4, 5};
    send(socket, words, sizeof words, MSG_NOSIGNAL);
  }
  return workspace.partial_sums;
}
