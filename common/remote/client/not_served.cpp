// SPDX-License-Identifier: MIT
#include <cstdio>

#include "remote/client/cuda_api.h"
#include "remote/client/stub.h"

int remote_not_served(const char* name) {
  std::fprintf(stderr, "workbook: %s is not served to a program that is judged\n", name);
  return cudaErrorNotSupported;
}
