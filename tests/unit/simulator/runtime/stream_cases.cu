// SPDX-License-Identifier: MIT
// What is said, and what is not there yet, where streams are late (CUDASIM_SCHEDULE): stream_cases NAME. Only the
// simulator is late on purpose. That a kernel meets the copy or fill of another stream is in tests/checkers.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int size = 64;

__global__ void fill(int* data) { data[threadIdx.x] = 7; }
__global__ void add_one(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }
__global__ void print() { printf("kernel\n"); }

void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

struct Memory {
  Memory() {
    must(cudaMalloc(&in, size * sizeof(int)));
    must(cudaMalloc(&out, size * sizeof(int)));
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  ~Memory() {
    must(cudaFree(in));
    must(cudaFree(out));
    must(cudaStreamDestroy(stream));
  }
  int last_of(const int* data) const {
    int value = 0;
    must(cudaMemcpyAsync(&value, data + size - 1, sizeof value, cudaMemcpyDeviceToHost, stream));
    return value;
  }
  int *in = nullptr, *out = nullptr;
  cudaStream_t stream = nullptr;
};

/// A kernel reads what a kernel of another stream is to write.
void kernel_before_kernel() {
  const Memory memory;
  fill<<<1, size, 0, memory.stream>>>(memory.in);
  add_one<<<1, size>>>(memory.in, memory.out);
  must(cudaStreamSynchronize(nullptr));
  std::printf("%d\n", memory.last_of(memory.out));
}

/// A result is copied in another stream than the kernel's.
void copy_before_kernel() {
  const Memory memory;
  fill<<<1, size>>>(memory.in);
  std::printf("%d\n", memory.last_of(memory.in));
}

void print_in_order() {
  print<<<1, 1>>>();
  std::printf("host\n");
  must(cudaDeviceSynchronize());
}

/// The same as two nodes of a graph, with or without the edge between them.
void graph(bool has_edge) {
  Memory memory;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t writer = nullptr, reader = nullptr;
  void* writes[] = {&memory.in};
  void* reads[] = {&memory.in, &memory.out};
  cudaKernelNodeParams params{};
  params.gridDim = dim3(1);
  params.blockDim = dim3(size);
  must(cudaGraphCreate(&graph, 0));
  params.func = reinterpret_cast<void*>(fill);
  params.kernelParams = writes;
  must(cudaGraphAddKernelNode(&writer, graph, nullptr, 0, &params));
  params.func = reinterpret_cast<void*>(add_one);
  params.kernelParams = reads;
  must(cudaGraphAddKernelNode(&reader, graph, &writer, has_edge ? 1 : 0, &params));
  must(cudaGraphInstantiate(&exec, graph, 0));
  must(cudaGraphLaunch(exec, memory.stream));
  must(cudaStreamSynchronize(memory.stream));
  std::printf("%d\n", memory.last_of(memory.out));
  must(cudaGraphExecDestroy(exec));
  must(cudaGraphDestroy(graph));
}

/// A graph writes what nobody waits for before it is read.
void graph_before_copy() {
  const Memory memory;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  must(cudaStreamBeginCapture(memory.stream, cudaStreamCaptureModeGlobal));
  fill<<<1, size, 0, memory.stream>>>(memory.in);
  must(cudaStreamEndCapture(memory.stream, &graph));
  must(cudaGraphInstantiate(&exec, graph, 0));
  must(cudaGraphLaunch(exec, memory.stream));
  int value = 0;
  must(cudaMemcpy(&value, memory.in + size - 1, sizeof value, cudaMemcpyDeviceToHost));  // by the default stream
  std::printf("%d\n", value);
  must(cudaGraphExecDestroy(exec));
  must(cudaGraphDestroy(graph));
}

/// No call waits: the mistake is reported when the program ends.
void at_the_end() {
  cudaStream_t stream = nullptr;
  must(cudaStreamCreate(&stream));
  fill<<<1, size, 0, stream>>>(nullptr);
}

}  // namespace

int main(int count, char** words) {
  const auto is = [&](const char* name) { return count == 2 && std::strcmp(words[1], name) == 0; };
  if (is("kernel-before-kernel")) kernel_before_kernel();
  if (is("copy-before-kernel")) copy_before_kernel();
  if (is("print")) print_in_order();
  if (is("graph")) graph(true);
  if (is("graph-without-its-edge")) graph(false);
  if (is("graph-before-copy")) graph_before_copy();
  if (is("at-the-end")) at_the_end();
}
