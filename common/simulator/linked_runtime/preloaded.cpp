// SPDX-License-Identifier: MIT
// scripts/simulate has this library preloaded. It looks at the program before that registers its kernels, and at what
// the program loads later.
#include <dlfcn.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "linked_runtime/compilers.h"
#include "linked_runtime/hand_over.h"

__attribute__((constructor)) static void look_at_program() {
  cudasim::ask_nvcc_for_lines();
  cudasim::hand_over_loaded();
}

/// nvJitLink makes machine code. A program that finds no function in it asks the driver to link, and so the simulator.
static bool is_emptied(const char* file) { return file != nullptr && std::strstr(file, "libnvJitLink.so") != nullptr; }

/// The stand-in for one of NVIDIA's libraries, which lies beside this library where it is built. "" where there is
/// none.
static std::string stand_in_for(const char* file) {
  const char* const slash = file == nullptr ? nullptr : std::strrchr(file, '/');
  const std::string name = slash != nullptr ? slash + 1 : file != nullptr ? file : "";
  Dl_info own{};
  if (name.rfind("libcublas.so.", 0) != 0 && name.rfind("libcurand.so.", 0) != 0) return "";
  if (dladdr(reinterpret_cast<void*>(&stand_in_for), &own) == 0 || own.dli_fname == nullptr) return "";
  const std::string folder(own.dli_fname, std::strrchr(own.dli_fname, '/') + 1);
  return access((folder + name).c_str(), R_OK) == 0 ? folder + name : "";
}

using Open = void* (*)(const char*, int) noexcept;
static Open next_open() {
  static const auto next = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
  return next;
}

static void* open_by_this_library(const char* file, int mode) {
  const std::string stand_in = stand_in_for(file);
  if (is_emptied(file)) file = "libcudasim_linked_runtime.so";
  if (!stand_in.empty()) file = stand_in.c_str();
  return next_open()(file, mode);
}

/// In place of the system's dlopen, which searches for a file by the RUNPATH of its caller, too.
extern "C" __attribute__((visibility("default"))) void* dlopen(const char* file, int mode) noexcept {
  void* const library = open_by_this_library(file, mode);
  if (library == nullptr) return next_open()(file, mode);  // a jump, so that the program is the caller
  cudasim::hand_over_loaded();
  return library;
}
