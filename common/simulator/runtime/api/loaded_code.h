// SPDX-License-Identifier: MIT
// Device code that a program loads at run time, PTX as text or a fat binary: cudaLibraryLoadData and cuModuleLoad.
#pragma once

#include <string>

#include "runtime/runtime.h"

namespace cudasim {

/// The beginning of an image that holds several texts of PTX, which are linked when it is loaded. The first text is the
/// number that load_code() takes as `most_registers`. Each text ends with a zero, and an empty one ends the image.
constexpr const char* kLinkedTexts = "// texts of PTX that belong together\n";

/// The record behind a handle that load_code() gave, or nullptr.
ModuleRecord* find_loaded(Runtime& runtime, const void* handle);
/// Loads it. On an error, it prints the reason and returns nullptr. `bytes`: the most that there can be, where that is
/// known. `most_registers`: of each kernel; 0: no limit.
ModuleRecord* load_code(Runtime& runtime, const void* code, std::size_t bytes, cudaError_t& error, std::string& message,
                        std::uint32_t most_registers = 0);
/// The handle of a kernel, in Runtime::kernels, or nullptr.
const void* kernel_of(Runtime& runtime, ModuleRecord& record, const char* name);
/// A variable, or nullptr.
const Allocation* global_of(Runtime& runtime, ModuleRecord& record, const char* name);

/// The name of the program or library that holds this code of the host, without its folder.
std::string file_of(const void* code);
/// What to do where a library of that name is one of NVIDIA's that hold machine code. "" where it is none.
std::string about_machine_code(const std::string& file);

}  // namespace cudasim
