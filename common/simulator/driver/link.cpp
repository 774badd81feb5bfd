// SPDX-License-Identifier: MIT
// The driver's linker, which makes one image of several pieces of code. It takes PTX, as text or in a fat binary, and
// CUDA's device runtime. The image holds the texts, and they are linked when it is loaded.
#include <fstream>
#include <iterator>
#include <list>
#include <string>
#include <string_view>

#include "driver/device_runtime.h"
#include "driver/driver.h"
#include "runtime/api/loaded_code.h"
#include "runtime/base/fat_binary.h"

/// The object behind the opaque handle of cuda.h.
struct CUlinkState_st {
  std::string image;
  bool is_complete = false;
};

namespace cudasim {
namespace {

/// Guarded by the runtime's lock.
std::list<CUlinkState_st>& link_states() {
  static auto* const all = new std::list<CUlinkState_st>;
  return *all;
}

/// A call about a link under way, under the lock.
template <class Body>
CUresult link_call(const char* name, CUlinkState state, Body body) {
  return driver_call(name, Needs::context, [&] {
    return enter(name, Access::none, [&](Runtime& runtime) {
      for (CUlinkState_st& each : link_states()) {
        if (&each == state) return body(each, runtime);
      }
      return cudaErrorInvalidResourceHandle;
    });
  });
}

constexpr const char* kKinds[] = {"machine code", "PTX", "a fat binary", "an object file", "a library", "NVVM code"};

cudaError_t add(const char* call, Runtime& runtime, CUlinkState_st& state, unsigned kind, std::string_view code) {
  if (state.is_complete || kind >= std::size(kKinds) || code.data() == nullptr) return cudaErrorInvalidValue;
  if (kind == CU_JIT_INPUT_FATBINARY) {
    try {
      const ChosenPtx chosen = choose_ptx(code, runtime.settings().schedule.gpu->capability);
      if (chosen.text.empty()) return complain(call, chosen.reason, cudaErrorNoKernelImageForDevice);
      state.image += chosen.text;
    } catch (const FatBinaryError& malformed) {
      return complain(call, malformed.what(), cudaErrorInvalidKernelImage);
    }
  } else if (kind == CU_JIT_INPUT_PTX) {
    if (code.find(".version") == std::string_view::npos) return cudaErrorInvalidKernelImage;
    state.image += code.substr(0, code.find('\0'));
  } else if (kind == CU_JIT_INPUT_LIBRARY && code.find("cuda_device_runtime") != std::string_view::npos) {
    state.image += kDeviceRuntime;
  } else {
    const std::string why =
        std::string(kKinds[kind]) + " cannot be linked, as the simulator runs PTX: give the linker PTX";
    return complain(call, why, cudaErrorNoKernelImageForDevice);
  }
  state.image += '\0';
  return cudaSuccess;
}

}  // namespace
}  // namespace cudasim

using namespace cudasim;

extern "C" CUresult cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  return driver_call("cuLinkCreate", Needs::context, [&] {
    return enter("cuLinkCreate", Access::none, [&](Runtime&) {
      if (state == nullptr || (count != 0 && (options == nullptr || values == nullptr))) return cudaErrorInvalidValue;
      *state = &link_states().emplace_back();
      (*state)->image = kLinkedTexts + std::to_string(read_options(count, options, values).most_registers) + '\0';
      return cudaSuccess;
    });
  });
}

extern "C" CUresult cuLinkAddData(CUlinkState state, CUjitInputType kind, void* data, std::size_t bytes,
                                  const char* /*name*/, unsigned /*count*/, CUjit_option* /*options*/,
                                  void** /*values*/) {
  return link_call("cuLinkAddData", state, [&](CUlinkState_st& link, Runtime& runtime) {
    return add("cuLinkAddData", runtime, link, kind, {static_cast<const char*>(data), bytes});
  });
}

extern "C" CUresult cuLinkAddFile(CUlinkState state, CUjitInputType kind, const char* path, unsigned /*count*/,
                                  CUjit_option* /*options*/, void** /*values*/) {
  return link_call("cuLinkAddFile", state, [&](CUlinkState_st& link, Runtime& runtime) {
    if (path == nullptr) return cudaErrorInvalidValue;
    std::ifstream file(path, std::ios::binary);
    const std::string code(std::istreambuf_iterator<char>(file), {});
    if (!file) return complain("cuLinkAddFile", std::string(path) + " cannot be read", cudaErrorFileNotFound);
    return add("cuLinkAddFile", runtime, link, kind, code);
  });
}

/// The image lives as long as the state.
extern "C" CUresult cuLinkComplete(CUlinkState state, void** image, std::size_t* bytes) {
  return link_call("cuLinkComplete", state, [&](CUlinkState_st& link, Runtime&) {
    if (image == nullptr) return cudaErrorInvalidValue;
    link.is_complete = true;
    *image = link.image.data();
    if (bytes != nullptr) *bytes = link.image.size() + 1;  // the texts end with an empty one
    return cudaSuccess;
  });
}

extern "C" CUresult cuLinkDestroy(CUlinkState state) {
  return link_call("cuLinkDestroy", state, [&](CUlinkState_st& link, Runtime&) {
    link_states().remove_if([&link](const CUlinkState_st& each) { return &each == &link; });
    return cudaSuccess;
  });
}
