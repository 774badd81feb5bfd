// SPDX-License-Identifier: MIT
// The attributes that all GPUs share are a table. The others come from the GPU (base/gpu.h). The properties are filled
// from both.
#include "runtime/api/device_properties.h"

#include <cstring>
#include <optional>

#include "program/launch.h"

namespace cudasim {
namespace {

struct AttributeRow {
  int attribute;  // a cudaDeviceAttr
  std::int64_t value;
};

constexpr AttributeRow kAttributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, DeviceLimits::kThreadsPerBlock},
    {cudaDevAttrMaxBlockDimX, DeviceLimits::kBlockDim[0]},
    {cudaDevAttrMaxBlockDimY, DeviceLimits::kBlockDim[1]},
    {cudaDevAttrMaxBlockDimZ, DeviceLimits::kBlockDim[2]},
    {cudaDevAttrMaxGridDimX, DeviceLimits::kGridDim[0]},
    {cudaDevAttrMaxGridDimY, DeviceLimits::kGridDim[1]},
    {cudaDevAttrMaxGridDimZ, DeviceLimits::kGridDim[2]},
    {cudaDevAttrMaxSharedMemoryPerBlock, DeviceLimits::kSharedPerBlock},
    {cudaDevAttrTotalConstantMemory, 65536},
    {cudaDevAttrWarpSize, 32},
    {cudaDevAttrMaxPitch, 2147483647},
    {cudaDevAttrMaxRegistersPerBlock, DeviceLimits::kRegistersPerMultiprocessor},
    {cudaDevAttrTextureAlignment, 512},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrKernelExecTimeout, 0},
    {cudaDevAttrIntegrated, 0},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrComputeMode, 0},
    {cudaDevAttrMaxTexture1DWidth, 131072},
    {cudaDevAttrMaxTexture2DWidth, 131072},
    {cudaDevAttrMaxTexture2DHeight, 65536},
    {cudaDevAttrMaxTexture3DWidth, 16384},
    {cudaDevAttrMaxTexture3DHeight, 16384},
    {cudaDevAttrMaxTexture3DDepth, 16384},
    {cudaDevAttrMaxTexture2DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture2DLayeredHeight, 32768},
    {cudaDevAttrMaxTexture2DLayeredLayers, 2048},
    {cudaDevAttrSurfaceAlignment, 512},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrPciBusId, 0},
    {cudaDevAttrPciDeviceId, 0},
    {cudaDevAttrTccDriver, 0},
    {cudaDevAttrAsyncEngineCount, 3},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrMaxTexture1DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture1DLayeredLayers, 2048},
    {cudaDevAttrMaxTexture2DGatherWidth, 32768},
    {cudaDevAttrMaxTexture2DGatherHeight, 32768},
    {cudaDevAttrMaxTexture3DWidthAlt, 8192},
    {cudaDevAttrMaxTexture3DHeightAlt, 8192},
    {cudaDevAttrMaxTexture3DDepthAlt, 32768},
    {cudaDevAttrPciDomainId, 0},
    {cudaDevAttrTexturePitchAlignment, 32},
    {cudaDevAttrMaxTextureCubemapWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxSurface1DWidth, 32768},
    {cudaDevAttrMaxSurface2DWidth, 131072},
    {cudaDevAttrMaxSurface2DHeight, 65536},
    {cudaDevAttrMaxSurface3DWidth, 16384},
    {cudaDevAttrMaxSurface3DHeight, 16384},
    {cudaDevAttrMaxSurface3DDepth, 16384},
    {cudaDevAttrMaxSurface1DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface1DLayeredLayers, 2048},
    {cudaDevAttrMaxSurface2DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface2DLayeredHeight, 32768},
    {cudaDevAttrMaxSurface2DLayeredLayers, 2048},
    {cudaDevAttrMaxSurfaceCubemapWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxTexture1DLinearWidth, 268435456},
    {cudaDevAttrMaxTexture2DLinearWidth, 131072},
    {cudaDevAttrMaxTexture2DLinearHeight, 65000},
    {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
    {cudaDevAttrMaxTexture2DMipmappedWidth, 32768},
    {cudaDevAttrMaxTexture2DMipmappedHeight, 32768},
    {cudaDevAttrMaxTexture1DMipmappedWidth, 32768},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrMaxRegistersPerMultiprocessor, DeviceLimits::kRegistersPerMultiprocessor},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrIsMultiGpuBoard, 0},
    {cudaDevAttrMultiGpuBoardGroupID, 0},
    {cudaDevAttrHostNativeAtomicSupported, 0},
    {cudaDevAttrPageableMemoryAccess, 0},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrComputePreemptionSupported, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrReserved92, 0},
    {cudaDevAttrReserved93, 0},
    {cudaDevAttrReserved94, 0},
    {cudaDevAttrCooperativeLaunch, 1},
    {96, 0},  // cooperative launches over several devices
    {cudaDevAttrCanFlushRemoteWrites, 0},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
    {cudaDevAttrDirectManagedMemAccessFromHost, 0},
    {cudaDevAttrMaxAccessPolicyWindowSize, 134217728},
    {cudaDevAttrSparseCudaArraySupported, 0},
    {cudaDevAttrHostRegisterReadOnlySupported, 1},
    {cudaDevAttrTimelineSemaphoreInteropSupported, 0},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {cudaDevAttrGPUDirectRDMASupported, 0},
    {cudaDevAttrGPUDirectRDMAFlushWritesOptions, 0},
    {cudaDevAttrGPUDirectRDMAWritesOrdering, 0},
    {cudaDevAttrMemoryPoolSupportedHandleTypes, 0},
    {cudaDevAttrClusterLaunch, 0},
    {cudaDevAttrDeferredMappingCudaArraySupported, 0},
    {cudaDevAttrReserved122, 0},
    {cudaDevAttrReserved123, 0},
    {cudaDevAttrReserved124, 0},
    {cudaDevAttrIpcEventSupport, 0},
    {cudaDevAttrMemSyncDomainCount, 4},
    // Newer than CUDA 12.0, so by number.
    {127, 0},
    {128, 0},
    {129, 0},
    {130, 0},   // NumaConfig: none
    {131, -1},  // NumaId
    {132, 0},
    {133, 0},  // MpsEnabled
    {134, 0},  // HostNumaId
};

/// The part of the L2 cache that persisting accesses may have: none before 8.0, and 5/8 as on an A100 and an H200.
std::uint32_t persisting_l2_bytes(const Gpu& gpu) { return gpu.capability < 80 ? 0 : gpu.l2_bytes / 8 * 5; }

/// The attributes in which GPUs differ.
std::optional<std::uint32_t> attribute_of_gpu(cudaDeviceAttr attribute, const Schedule& schedule) {
  const Gpu& gpu = *schedule.gpu;
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
      return schedule.multiprocessors;
    case cudaDevAttrClockRate:
      return gpu.clock;
    case cudaDevAttrEccEnabled:
      return gpu.ecc ? 1 : 0;
    case cudaDevAttrMemoryClockRate:
      return gpu.memory_clock;
    case cudaDevAttrGlobalMemoryBusWidth:
      return gpu.bus_bits;
    case cudaDevAttrL2CacheSize:
      return gpu.l2_bytes;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return gpu.threads_per_multiprocessor;
    case cudaDevAttrComputeCapabilityMajor:
      return gpu.capability / 10;
    case cudaDevAttrComputeCapabilityMinor:
      return gpu.capability % 10;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return gpu.shared_per_multiprocessor;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return gpu.float_to_double_ratio;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return gpu.shared_per_block_optin;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return gpu.blocks_per_multiprocessor;
    case cudaDevAttrMaxPersistingL2CacheSize:
      return persisting_l2_bytes(gpu);
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return gpu.shared_reserved_per_block;
    default:
      return std::nullopt;
  }
}

/// An attribute that is the same for all GPUs.
int attribute_of(cudaDeviceAttr attribute) {
  for (const AttributeRow& row : kAttributes) {
    if (row.attribute == static_cast<int>(attribute)) return static_cast<int>(row.value);
  }
  return 0;
}

/// Fields that hold a size or a shape of textures and surfaces.
void fill_texture_limits(cudaDeviceProp& p) {
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  p.maxTexture1D = attribute_of(cudaDevAttrMaxTexture1DWidth);
  p.maxTexture1DMipmap = attribute_of(cudaDevAttrMaxTexture1DMipmappedWidth);
  const auto fill = [](int* sizes, std::initializer_list<cudaDeviceAttr> sources) {
    for (const cudaDeviceAttr source : sources) *sizes++ = attribute_of(source);
  };
  fill(p.maxTexture2D, {cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight});
  fill(p.maxTexture2DMipmap, {cudaDevAttrMaxTexture2DMipmappedWidth, cudaDevAttrMaxTexture2DMipmappedHeight});
  fill(p.maxTexture2DLinear,
       {cudaDevAttrMaxTexture2DLinearWidth, cudaDevAttrMaxTexture2DLinearHeight, cudaDevAttrMaxTexture2DLinearPitch});
  fill(p.maxTexture2DGather, {cudaDevAttrMaxTexture2DGatherWidth, cudaDevAttrMaxTexture2DGatherHeight});
  fill(p.maxTexture3D, {cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DDepth});
  fill(p.maxTexture3DAlt,
       {cudaDevAttrMaxTexture3DWidthAlt, cudaDevAttrMaxTexture3DHeightAlt, cudaDevAttrMaxTexture3DDepthAlt});
  p.maxTextureCubemap = attribute_of(cudaDevAttrMaxTextureCubemapWidth);
  fill(p.maxTexture1DLayered, {cudaDevAttrMaxTexture1DLayeredWidth, cudaDevAttrMaxTexture1DLayeredLayers});
  fill(p.maxTexture2DLayered, {cudaDevAttrMaxTexture2DLayeredWidth, cudaDevAttrMaxTexture2DLayeredHeight,
                               cudaDevAttrMaxTexture2DLayeredLayers});
  fill(p.maxTextureCubemapLayered,
       {cudaDevAttrMaxTextureCubemapLayeredWidth, cudaDevAttrMaxTextureCubemapLayeredLayers});
  p.maxSurface1D = attribute_of(cudaDevAttrMaxSurface1DWidth);
  fill(p.maxSurface2D, {cudaDevAttrMaxSurface2DWidth, cudaDevAttrMaxSurface2DHeight});
  fill(p.maxSurface3D, {cudaDevAttrMaxSurface3DWidth, cudaDevAttrMaxSurface3DHeight, cudaDevAttrMaxSurface3DDepth});
  fill(p.maxSurface1DLayered, {cudaDevAttrMaxSurface1DLayeredWidth, cudaDevAttrMaxSurface1DLayeredLayers});
  fill(p.maxSurface2DLayered, {cudaDevAttrMaxSurface2DLayeredWidth, cudaDevAttrMaxSurface2DLayeredHeight,
                               cudaDevAttrMaxSurface2DLayeredLayers});
  p.maxSurfaceCubemap = attribute_of(cudaDevAttrMaxSurfaceCubemapWidth);
  fill(p.maxSurfaceCubemapLayered,
       {cudaDevAttrMaxSurfaceCubemapLayeredWidth, cudaDevAttrMaxSurfaceCubemapLayeredLayers});
}

/// Yes or no, and small numbers.
void fill_features(cudaDeviceProp& p, const Gpu& gpu) {
  p.canMapHostMemory = attribute_of(cudaDevAttrCanMapHostMemory);
  p.concurrentKernels = attribute_of(cudaDevAttrConcurrentKernels);
  p.ECCEnabled = static_cast<int>(gpu.ecc);
  p.asyncEngineCount = attribute_of(cudaDevAttrAsyncEngineCount);
  p.unifiedAddressing = attribute_of(cudaDevAttrUnifiedAddressing);
  p.streamPrioritiesSupported = attribute_of(cudaDevAttrStreamPrioritiesSupported);
  p.globalL1CacheSupported = attribute_of(cudaDevAttrGlobalL1CacheSupported);
  p.localL1CacheSupported = attribute_of(cudaDevAttrLocalL1CacheSupported);
  p.managedMemory = attribute_of(cudaDevAttrManagedMemory);
  p.concurrentManagedAccess = attribute_of(cudaDevAttrConcurrentManagedAccess);
  p.computePreemptionSupported = attribute_of(cudaDevAttrComputePreemptionSupported);
  p.canUseHostPointerForRegisteredMem = attribute_of(cudaDevAttrCanUseHostPointerForRegisteredMem);
  p.cooperativeLaunch = attribute_of(cudaDevAttrCooperativeLaunch);
  p.hostRegisterSupported = attribute_of(cudaDevAttrHostRegisterSupported);
  p.hostRegisterReadOnlySupported = attribute_of(cudaDevAttrHostRegisterReadOnlySupported);
  p.memoryPoolsSupported = attribute_of(cudaDevAttrMemoryPoolsSupported);
#if CUDART_VERSION < 13000
  p.clockRate = static_cast<int>(gpu.clock);
  p.memoryClockRate = static_cast<int>(gpu.memory_clock);
  p.deviceOverlap = attribute_of(cudaDevAttrGpuOverlap);
  p.singleToDoublePrecisionPerfRatio = static_cast<int>(gpu.float_to_double_ratio);
  p.maxTexture1DLinear = attribute_of(cudaDevAttrMaxTexture1DLinearWidth);
#endif
}

}  // namespace

bool attribute_value(cudaDeviceAttr attribute, const Schedule& schedule, int& value) {
  if (const auto of_gpu = attribute_of_gpu(attribute, schedule)) {
    value = static_cast<int>(*of_gpu);
    return true;
  }
  for (const AttributeRow& row : kAttributes) {
    if (row.attribute != static_cast<int>(attribute)) continue;
    value = static_cast<int>(row.value);
    return true;
  }
  return false;
}

void fill_properties(cudaDeviceProp& p, const std::string& name, const Settings& settings) {
  const Gpu& gpu = *settings.schedule.gpu;
  p = {};  // what is not simulated stays 0
  std::strncpy(p.name, name.c_str(), sizeof p.name - 1);
  std::memcpy(p.uuid.bytes, "cudasim\0device0", sizeof p.uuid.bytes);
  p.totalGlobalMem = settings.memory_bytes;
  p.sharedMemPerBlock = DeviceLimits::kSharedPerBlock;
  p.regsPerBlock = static_cast<int>(DeviceLimits::kRegistersPerMultiprocessor);
  p.warpSize = attribute_of(cudaDevAttrWarpSize);
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = static_cast<int>(DeviceLimits::kThreadsPerBlock);
  for (unsigned i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = static_cast<int>(DeviceLimits::kBlockDim[i]);
    p.maxGridSize[i] = static_cast<int>(DeviceLimits::kGridDim[i]);
  }
  p.totalConstMem = 65536;
  p.major = static_cast<int>(gpu.capability / 10);
  p.minor = static_cast<int>(gpu.capability % 10);
  p.multiProcessorCount = static_cast<int>(settings.schedule.multiprocessors);
  p.memoryBusWidth = static_cast<int>(gpu.bus_bits);
  p.l2CacheSize = static_cast<int>(gpu.l2_bytes);
  p.persistingL2CacheMaxSize = static_cast<int>(persisting_l2_bytes(gpu));
  p.accessPolicyMaxWindowSize = attribute_of(cudaDevAttrMaxAccessPolicyWindowSize);
  p.maxThreadsPerMultiProcessor = static_cast<int>(gpu.threads_per_multiprocessor);
  p.maxBlocksPerMultiProcessor = static_cast<int>(gpu.blocks_per_multiprocessor);
  p.sharedMemPerMultiprocessor = gpu.shared_per_multiprocessor;
  p.regsPerMultiprocessor = static_cast<int>(DeviceLimits::kRegistersPerMultiprocessor);
  p.sharedMemPerBlockOptin = gpu.shared_per_block_optin;
  p.reservedSharedMemPerBlock = gpu.shared_reserved_per_block;
  fill_texture_limits(p);
  fill_features(p, gpu);
}

}  // namespace cudasim
