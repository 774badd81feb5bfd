// SPDX-License-Identifier: MIT
// The few types and calls here are of Python's stable ABI.
#include "linked_runtime/python_runtime.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include "linked_runtime/hand_over.h"
#include "linked_runtime/jump.h"
#include "linked_runtime/symbol.h"

namespace cudasim {
namespace {

struct Slot {  // PyModuleDef_Slot
  int kind;
  void* value;
};
constexpr int kExecute = 2;  // Py_mod_exec
struct Definition {          // PyModuleDef of a Python with one lock
  std::uint64_t base[5];
  const char *name, *text;
  std::int64_t size;
  void* methods;
  Slot* slots;
};

template <class Function>
Function python(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

/// Functions lie on multiples of 16 bytes, so that a jump has room. False where the system does not allow to change
/// code.
bool jump_from(void* function, void* target) {
  const auto place = reinterpret_cast<std::uint64_t>(function);
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (place % 16 != 0) return false;
  auto* const page = reinterpret_cast<void*>(place / page_bytes * page_bytes);
  const std::uint64_t bytes = place % page_bytes + kJumpBytes;
  if (mprotect(page, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  write_jump(static_cast<std::uint8_t*>(function), target);
  return mprotect(page, bytes, PROT_READ | PROT_EXEC) == 0;
}

/// The module's functions have the names of the runtime's, with a line before.
void hand_over_functions(void* module) {
  const auto attribute = python<void* (*)(void*, const char*)>("PyObject_GetAttrString");
  const auto item = python<void* (*)(void*, const char*)>("PyDict_GetItemString");
  const auto next = python<int (*)(void*, std::int64_t*, void**, void**)>("PyDict_Next");
  const auto text_of = python<const char* (*)(void*)>("PyUnicode_AsUTF8");
  const auto signature_of = python<const char* (*)(void*)>("PyCapsule_GetName");
  const auto pointer_of = python<void* (*)(void*, const char*)>("PyCapsule_GetPointer");
  const auto clear_error = python<void (*)()>("PyErr_Clear");
  void* const functions = attribute(module, "__pyx_capi__");
  if (functions == nullptr) return clear_error();
  const bool is_before_13 = item(functions, "_cudaGetDeviceProperties_v2") != nullptr;
  if (is_before_13 != (CUDASIM_MAJOR < 13) || simulator() == nullptr) return;
  std::int64_t place = 0;
  for (void *key = nullptr, *capsule = nullptr; next(functions, &place, &key, &capsule) != 0;) {
    const char* const name = text_of(key);
    void* const target = name != nullptr && name[0] == '_' ? dlsym(simulator(), name + 1) : nullptr;
    void* const function = pointer_of(capsule, signature_of(capsule));
    if (target != nullptr && function != nullptr && !jump_from(function, target)) return;
  }
}

void* (*initialise)() = nullptr;  // the module's own
int (*execute)(void*) = nullptr;

int execute_and_hand_over(void* module) {
  const int error = execute(module);
  if (error == 0) hand_over_functions(module);
  return error;
}

void* initialise_to_hand_over() {
  auto* const definition = static_cast<Definition*>(initialise());
  if (definition == nullptr || definition->slots == nullptr) return definition;
  for (Slot* slot = definition->slots; slot->kind != 0; ++slot) {
    if (slot->kind != kExecute || execute != nullptr) continue;
    execute = reinterpret_cast<int (*)(void*)>(slot->value);
    slot->value = reinterpret_cast<void*>(&execute_and_hand_over);
  }
  return definition;
}

}  // namespace

void hand_over_python(std::uint64_t begin) {
  const bool has_no_lock = dlsym(RTLD_DEFAULT, "_Py_MergeZeroLocalRefcount") != nullptr;  // its objects are larger
  if (initialise != nullptr || has_no_lock) return;
  void* const other = reinterpret_cast<void*>(&initialise_to_hand_over);
  initialise = reinterpret_cast<void* (*)()>(replace_function(begin, "PyInit_runtime", other));
}

}  // namespace cudasim
