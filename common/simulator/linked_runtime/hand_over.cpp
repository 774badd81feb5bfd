// SPDX-License-Identifier: MIT
#include "linked_runtime/hand_over.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "linked_runtime/compilers.h"
#include "linked_runtime/function_table.h"
#include "linked_runtime/jump.h"
#include "linked_runtime/python_runtime.h"

namespace cudasim {
namespace {

using Functions = std::vector<LinkedFunction>;

/// A program or library in memory.
struct Object {
  std::uint64_t begin = 0;
  std::string file;  ///< empty: the program's own
  std::vector<ElfW(Phdr)> segments;
};

bool has(const Functions& functions, const char* name) {
  return std::any_of(functions.begin(), functions.end(), [name](const auto& each) { return each.name == name; });
}

/// Calls that have come and gone with a major version tell it.
bool is_runtime_of_this_version(const Functions& functions) {
  if (!has(functions, "__cudaRegisterFatBinary")) return false;
  const bool is_before_13 = has(functions, "cudaThreadExit");
  const bool is_before_12 = is_before_13 && !has(functions, "cudaGetDeviceProperties_v2");
  return CUDASIM_MAJOR >= 13 ? !is_before_13 : is_before_13 && !is_before_12;
}

/// Whether a jump at this offset changes code of the object only.
bool is_code(const Object& object, std::uint64_t offset) {
  return std::any_of(object.segments.begin(), object.segments.end(), [offset](const ElfW(Phdr) & segment) {
    return segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0 && offset >= segment.p_vaddr &&
           segment.p_memsz >= kJumpBytes && offset - segment.p_vaddr <= segment.p_memsz - kJumpBytes;
  });
}

/// Functions that the simulator has, too. False where the system does not allow to change code.
bool write_jumps(const Object& object, const Functions& functions) {
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t begin = (object.begin + functions.front().offset) / page_bytes * page_bytes;
  const std::uint64_t bytes = object.begin + functions.back().offset + kJumpBytes - begin;
  auto* const pages = reinterpret_cast<void*>(begin);
  if (mprotect(pages, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  for (const LinkedFunction& function : functions) {
    auto* const place = reinterpret_cast<std::uint8_t*>(object.begin + function.offset);
    write_jump(place, dlsym(simulator(), function.name.c_str()));
  }
  mprotect(pages, bytes, PROT_READ | PROT_EXEC);
  return true;
}

/// A library has registered its kernels when it is looked at, and the program has not.
void hand_over(const Object& object) {
  const bool is_library = !object.file.empty();
  Functions functions = cuda_functions(is_library ? object.file.c_str() : "/proc/self/exe");
  if (!is_runtime_of_this_version(functions) || simulator() == nullptr) return;
  if (is_library && has(functions, kRegistersLinked)) return;  // what it counts cannot be repeated
  std::vector<void (*)()> registrations;
  const auto is_kept = [&](const LinkedFunction& function) {
    if (function.room < kJumpBytes || !is_code(object, function.offset)) return true;
    if (function.name != kRegistersKernels) return dlsym(simulator(), function.name.c_str()) == nullptr;
    registrations.push_back(reinterpret_cast<void (*)()>(object.begin + function.offset));
    return true;
  };
  functions.erase(std::remove_if(functions.begin(), functions.end(), is_kept), functions.end());
  if (functions.empty() || !write_jumps(object, functions) || !is_library) return;
  for (void (*const register_kernels)() : registrations) register_kernels();
}

int note_object(dl_phdr_info* info, std::size_t /*bytes*/, void* objects) {
  const std::string file = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  static_cast<std::vector<Object>*>(objects)->push_back(
      {info->dlpi_addr, file, {info->dlpi_phdr, info->dlpi_phdr + info->dlpi_phnum}});
  return 0;
}

}  // namespace

void* simulator() {
  static void* library = nullptr;
  if (library == nullptr) library = dlopen("libcudart.so." CUDASIM_MAJOR_TEXT, RTLD_NOW | RTLD_GLOBAL);
  return library;
}

void hand_over_loaded() {
  static std::recursive_mutex mutex;
  static auto& known = *new std::set<std::pair<std::uint64_t, std::string>>;  // the last library may come very late
  std::vector<Object> objects;
  dl_iterate_phdr(note_object, &objects);
  const std::lock_guard<std::recursive_mutex> lock(mutex);
  for (const Object& object : objects) {
    if (!known.emplace(object.begin, object.file).second) continue;
    ask_nvrtc_for_lines(object.begin, object.file.c_str());
    if (object.file.find(kPythonRuntime) != std::string::npos) hand_over_python(object.begin);
    hand_over(object);
  }
}

}  // namespace cudasim
