// SPDX-License-Identifier: MIT
// scripts/simulate has this library preloaded. It looks at the program before that registers its kernels, and at what
// the program loads later.
#include <dlfcn.h>

#include <cstring>

#include "linked_runtime/hand_over.h"

__attribute__((constructor)) static void look_at_program() { cudasim::hand_over_loaded(); }

/// nvJitLink makes machine code. A program that finds no function in it asks the driver to link, and so the simulator.
static bool is_emptied(const char* file) { return file != nullptr && std::strstr(file, "libnvJitLink.so") != nullptr; }

/// In place of the system's dlopen, which searches for a file by the RUNPATH of its caller, too.
extern "C" __attribute__((visibility("default"))) void* dlopen(const char* file, int mode) noexcept {
  using Call = void* (*)(const char*, int) noexcept;
  static const auto next = reinterpret_cast<Call>(dlsym(RTLD_NEXT, "dlopen"));
  if (is_emptied(file)) file = "libcudasim_linked_runtime.so";
  void* const library = next(file, mode);
  if (library == nullptr) return next(file, mode);  // a jump, so that the program is the caller
  cudasim::hand_over_loaded();
  return library;
}
