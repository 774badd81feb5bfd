// refused: stream-order: a stream for each part, and a copy in does not wait until the piece before has left the memory
// SPDX-License-Identifier: MIT
// shown by: --size 4100 --piece 1000
// hint: lanes-share-memory
#include "workbook/student/pieces.h"

#define process_on_device right_process_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef process_on_device

// All that comes into the stream `later` from now on comes behind what is in `earlier` now.
void put_behind(cudaStream_t later, cudaStream_t earlier, cudaEvent_t event) {
  CUDA_CHECK(cudaEventRecord(event, earlier));
  CUDA_CHECK(cudaStreamWaitEvent(later, event));
}

void process_on_device(const Job& job) {
  const cudaStream_t in = job.lanes[0].stream, kernels = job.lanes[1].stream, out = job.lanes[2].stream;
  for (const cudaStream_t stream : {in, kernels, out}) {
    put_behind(stream, job.stream, job.begin);
  }
  unsigned turn = 0;
  for (std::size_t begin = 0; begin < job.n; begin += job.piece) {
    const std::size_t n = std::min(job.piece, job.n - begin);
    const auto blocks = static_cast<unsigned>((n + job.block_size - 1) / job.block_size);
    const Lane& memory = job.lanes[turn % kLanes];
    CUDA_CHECK(cudaMemcpyAsync(memory.memory, job.input + begin, n * sizeof(State), cudaMemcpyHostToDevice, in));
    put_behind(kernels, in, job.begin);
    advance<<<blocks, job.block_size, 0, kernels>>>(memory.memory, n, job.rounds);
    CUDA_CHECK(cudaGetLastError());
    put_behind(out, kernels, job.begin);
    CUDA_CHECK(cudaMemcpyAsync(job.output + begin, memory.memory, n * sizeof(State), cudaMemcpyDeviceToHost, out));
    CUDA_CHECK(cudaEventRecord(memory.event, out));
    ++turn;
  }
  put_behind(job.stream, out, job.begin);  // the last copy out comes behind all other work
  put_behind(job.stream, in, job.begin);
}
