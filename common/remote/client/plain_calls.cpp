// SPDX-License-Identifier: MIT
// The calls whose arguments are values and addresses that receive one.
#include "remote/client/cuda_api.h"

#define FORWARD(name, ...) \
  { return remote::forward(remote::Call::k_##name __VA_OPT__(, ) __VA_ARGS__); }

extern "C" {
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device)
    FORWARD(cudaDeviceGetAttribute, value, attribute, device) cudaError_t
    cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) FORWARD(cudaDeviceGetLimit, value, limit) cudaError_t
    cudaDeviceSetLimit(cudaLimit limit, std::size_t value) FORWARD(cudaDeviceSetLimit, limit, value) cudaError_t
    cudaDeviceSynchronize() FORWARD(cudaDeviceSynchronize) cudaError_t cudaEventCreate(cudaEvent_t* event)
        FORWARD(cudaEventCreate, event) cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags)
            FORWARD(cudaEventCreateWithFlags, event, flags) cudaError_t cudaEventDestroy(cudaEvent_t event)
                FORWARD(cudaEventDestroy, event) cudaError_t
    cudaEventElapsedTime(float* time_ms, cudaEvent_t begin, cudaEvent_t end)
        FORWARD(cudaEventElapsedTime, time_ms, begin, end) cudaError_t cudaEventQuery(cudaEvent_t event)
            FORWARD(cudaEventQuery, event) cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
                FORWARD(cudaEventRecord, event, stream) cudaError_t cudaEventSynchronize(cudaEvent_t event)
                    FORWARD(cudaEventSynchronize, event) cudaError_t cudaFree(void* pointer)
                        FORWARD(cudaFree, pointer) cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream)
                            FORWARD(cudaFreeAsync, pointer, stream) cudaError_t
    cudaGetDevice(int* device) FORWARD(cudaGetDevice, device) cudaError_t cudaGetDeviceCount(int* count)
        FORWARD(cudaGetDeviceCount, count) cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device)
            FORWARD(cudaGetDeviceProperties, properties, device) cudaError_t cudaGetLastError()
                FORWARD(cudaGetLastError) cudaError_t cudaMalloc(void** pointer, std::size_t size)
                    FORWARD(cudaMalloc, pointer, size) cudaError_t
    cudaMallocAsync(void** pointer, std::size_t size, cudaStream_t stream)
        FORWARD(cudaMallocAsync, pointer, size, stream) cudaError_t
    cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height)
        FORWARD(cudaMallocPitch, pointer, pitch, width, height) cudaError_t
    cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes)
        FORWARD(cudaMemGetInfo, free_bytes, total_bytes) cudaError_t
    cudaMemset(void* pointer, int value, std::size_t size) FORWARD(cudaMemset, pointer, value, size) cudaError_t
    cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height)
        FORWARD(cudaMemset2D, pointer, pitch, value, width, height) cudaError_t
    cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      cudaStream_t stream)
        FORWARD(cudaMemset2DAsync, pointer, pitch, value, width, height, stream) cudaError_t
    cudaMemsetAsync(void* pointer, int value, std::size_t size, cudaStream_t stream)
        FORWARD(cudaMemsetAsync, pointer, value, size, stream) cudaError_t cudaPeekAtLastError()
            FORWARD(cudaPeekAtLastError) cudaError_t
    cudaSetDevice(int device) FORWARD(cudaSetDevice, device) cudaError_t cudaStreamCreate(cudaStream_t* stream)
        FORWARD(cudaStreamCreate, stream) cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags)
            FORWARD(cudaStreamCreateWithFlags, stream, flags) cudaError_t
    cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority)
        FORWARD(cudaStreamCreateWithPriority, stream, flags, priority) cudaError_t
    cudaStreamDestroy(cudaStream_t stream) FORWARD(cudaStreamDestroy, stream) cudaError_t
    cudaStreamQuery(cudaStream_t stream) FORWARD(cudaStreamQuery, stream) cudaError_t
    cudaStreamSynchronize(cudaStream_t stream) FORWARD(cudaStreamSynchronize, stream) cudaError_t
    cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
        FORWARD(cudaStreamWaitEvent, stream, event, flags)

            cudaError_t cudaGraphDestroy(cudaGraph_t graph) FORWARD(cudaGraphDestroy, graph) cudaError_t
    cudaGraphExecDestroy(cudaGraphExec_t graph) FORWARD(cudaGraphExecDestroy, graph) cudaError_t
    cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags)
        FORWARD(cudaGraphInstantiate, executable, graph, flags) cudaError_t
    cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags)
        FORWARD(cudaGraphInstantiateWithFlags, executable, graph, flags) cudaError_t
    cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) FORWARD(cudaGraphLaunch, graph, stream) cudaError_t
    cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
        FORWARD(cudaStreamBeginCapture, stream, mode) cudaError_t
    cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) FORWARD(cudaStreamEndCapture, stream, graph)

    // The profiler belongs to the process with the device.
    cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop() { return cudaSuccess; }
}
