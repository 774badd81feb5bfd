// cheat: sends what it knows to a machine elsewhere
// stage: 3
// says: findings
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  const int asking = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(80);
  address.sin_addr.s_addr = htonl(0x7f000001);
  if (connect(asking, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) send(asking, "seed?", 5, 0);
  return workspace.partial_sums;
}
