// SPDX-License-Identifier: MIT
#include "runtime/api/loaded_code.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>

#include "runtime/base/fat_binary.h"
#include "runtime/base/machine_code.h"

namespace cudasim {
namespace {

/// Distinguishes PTX, fat binary and machine code by their first bytes.
void read_code(ModuleRecord& record, const void* code, std::size_t bytes) {
  const auto* text = static_cast<const char*>(code);
  std::uint32_t magic = 0;  // a text of fewer than four characters is none of the others
  if (strnlen(text, sizeof magic) == sizeof magic) std::memcpy(&magic, text, sizeof magic);
  if (magic == kFatBinaryWrapperMagic) {
    record.wrapper = code;
  } else if (magic == kFatBinaryMagic) {
    const std::size_t container = bytes < 16 ? bytes : container_bytes({text, 16});
    if (container > bytes) throw FatBinaryError("malformed fat binary: it is cut off");
    ChosenPtx chosen = choose_ptx({text, container}, Runtime::instance().settings().schedule.gpu->capability);
    if (!chosen.text.empty()) return record.ptx.push_back(std::move(chosen.text));
    record.error = cudaErrorNoKernelImageForDevice;
    record.message = chosen.reason;
  } else if (magic == kElfMagic) {
    const std::size_t size = bytes < 64 ? bytes : machine_code_bytes({text, 64});
    std::string ptx = size > bytes ? "" : ptx_of_machine_code({text, size});
    if (!ptx.empty()) return record.ptx.push_back(std::move(ptx));
    record.error = cudaErrorNoKernelImageForDevice;
    record.message =
        "this is machine code (SASS), which cannot be simulated: compile it with -lineinfo, which puts its PTX there, "
        "too, "
        "or load PTX (of NVRTC: nvrtcGetPTX)";
  } else if (std::strncmp(text, kLinkedTexts, std::strlen(kLinkedTexts)) == 0) {
    const char* const end = bytes == std::numeric_limits<std::size_t>::max() ? nullptr : text + bytes;
    text += std::strlen(kLinkedTexts);
    record.most_registers = static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
    for (text += strnlen(text, 16) + 1; text != end && *text != '\0'; text += record.ptx.back().size() + 1)
      record.ptx.emplace_back(text);
  } else {
    record.ptx.emplace_back(text);
  }
}

}  // namespace

ModuleRecord* find_loaded(Runtime& runtime, const void* handle) {
  for (ModuleRecord& record : runtime.modules) {
    if (&record == handle && record.is_library) return &record;
  }
  return nullptr;
}

ModuleRecord* load_code(Runtime& runtime, const void* code, std::size_t bytes, cudaError_t& error, std::string& message,
                        std::uint32_t most_registers) {
  ModuleRecord& record = runtime.modules.emplace_back();
  record.most_registers = most_registers;
  record.is_library = true;
  try {
    read_code(record, code, bytes);
  } catch (const FatBinaryError& malformed) {
    record.error = cudaErrorInvalidKernelImage;
    record.message = malformed.what();
  }
  error = cudaSuccess;
  if (runtime.load(record) != nullptr) return &record;
  error = record.error;
  message = record.message;
  runtime.unregister(record);
  return nullptr;
}

const void* kernel_of(Runtime& runtime, ModuleRecord& record, const char* name) {
  Module* module = runtime.load(record);
  if (module == nullptr || !module->has_kernel(name)) return nullptr;
  // The name is the handle. The record keeps it for as long as the record lives.
  const std::string& kept = *record.kernel_names.insert(name).first;
  KernelRecord entry;
  entry.module = &record;
  entry.name = name;
  runtime.kernels.try_emplace(&kept, std::move(entry));
  return &kept;
}

std::string file_of(const void* code) {
  Dl_info info{};
  if (dladdr(code, &info) == 0 || info.dli_fname == nullptr) return "this program";
  const std::string path = info.dli_fname;
  return path.substr(path.rfind('/') + 1);
}

std::string about_machine_code(const std::string& file) {
  constexpr const char* kLibraries[] = {"libcublas",   "libcudnn", "libcufft", "libcurand", "libcusolver",
                                        "libcusparse", "libnccl",  "libnpp",   "libnvjpeg"};
  const bool is_known = std::any_of(std::begin(kLibraries), std::end(kLibraries),
                                    [&file](const char* name) { return file.rfind(name, 0) == 0; });
  if (!is_known) return "";
  return file +
         " holds NVIDIA's machine code, which is not simulated, so its calls fail: use a kernel that is compiled to "
         "PTX";
}

const Allocation* global_of(Runtime& runtime, ModuleRecord& record, const char* name) {
  Module* module = runtime.load(record);
  return module != nullptr ? module->variable(name) : nullptr;
}

}  // namespace cudasim
