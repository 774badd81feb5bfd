// SPDX-License-Identifier: MIT
// Heat in a rod, whose steps are captured from two streams into a graph. A stream of its own steps each half, and both
// wait for each other. The graph is launched again and again. Then another one, captured with another coefficient,
// takes its place in the instantiated graph.
#include "gallery.h"

__global__ void step_half(const float* from, float* to, int begin, int end, int n, float coefficient) {
  const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  const float left = i == 0 ? 0 : from[i - 1], right = i == n - 1 ? 0 : from[i + 1];
  to[i] = from[i] + coefficient * (left - 2 * from[i] + right);
}

struct Rod {
  int n;
  cudaStream_t streams[2];
  cudaEvent_t stepped[2];
  Buffer<float> temperatures[2];

  /// Two steps, there and back, in which each half reads its neighbour's edge.
  cudaGraph_t capture(float coefficient) {
    checkCudaErrors(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    checkCudaErrors(cudaEventRecord(stepped[0], streams[0]));
    checkCudaErrors(cudaStreamWaitEvent(streams[1], stepped[0], 0));
    for (int step = 0; step < 2; ++step) {
      for (int half = 0; half < 2; ++half) {
        const int begin = half * (n / 2), end = half == 0 ? n / 2 : n;
        step_half<<<blocks_for(end - begin, 128), 128, 0, streams[half]>>>(temperatures[step], temperatures[1 - step],
                                                                           begin, end, n, coefficient);
        checkCudaErrors(cudaGetLastError());
        checkCudaErrors(cudaEventRecord(stepped[half], streams[half]));
      }
      for (int half = 0; half < 2; ++half) checkCudaErrors(cudaStreamWaitEvent(streams[half], stepped[1 - half], 0));
    }
    cudaGraph_t graph = nullptr;
    checkCudaErrors(cudaStreamEndCapture(streams[0], &graph));
    return graph;
  }
};

bool program() {
  constexpr int n = 1001, launches = 6;
  std::vector<float> expected = uniform_vector(n), next(n);
  Rod rod{n, {}, {}, {Buffer<float>(expected), Buffer<float>(n)}};
  for (int i = 0; i < 2; ++i) {
    checkCudaErrors(cudaStreamCreateWithFlags(&rod.streams[i], cudaStreamNonBlocking));
    checkCudaErrors(cudaEventCreateWithFlags(&rod.stepped[i], cudaEventDisableTiming));
  }
  checkCudaErrors(cudaDeviceSynchronize());
  const float coefficients[] = {0.25f, 0.125f};
  cudaGraph_t graph = rod.capture(coefficients[0]);
  std::size_t nodes = 0;
  checkCudaErrors(cudaGraphGetNodes(graph, nullptr, &nodes));
  cudaGraphExec_t exec = nullptr;
  checkCudaErrors(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 0; round < 2; ++round) {
    if (round == 1) {
      cudaGraph_t other = rod.capture(coefficients[1]);
      cudaGraphExecUpdateResultInfo result{};
      checkCudaErrors(cudaGraphExecUpdate(exec, other, &result));
      checkCudaErrors(cudaGraphDestroy(other));
    }
    for (int launch = 0; launch < launches; ++launch) checkCudaErrors(cudaGraphLaunch(exec, rod.streams[1]));
    for (int step = 0; step < 2 * launches; ++step) {
      for (int i = 0; i < n; ++i) {
        const float left = i == 0 ? 0 : expected[i - 1], right = i == n - 1 ? 0 : expected[i + 1];
        next[i] = expected[i] + coefficients[round] * (left - 2 * expected[i] + right);
      }
      expected.swap(next);
    }
  }
  checkCudaErrors(cudaStreamSynchronize(rod.streams[1]));
  const bool right = all_close(rod.temperatures[0].host(), expected, 1e-5);
  checkCudaErrors(cudaGraphExecDestroy(exec));
  checkCudaErrors(cudaGraphDestroy(graph));
  for (int i = 0; i < 2; ++i) {
    checkCudaErrors(cudaEventDestroy(rod.stepped[i]));
    checkCudaErrors(cudaStreamDestroy(rod.streams[i]));
  }
  return right && nodes == 4;
}
