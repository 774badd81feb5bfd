// 4:1 -> the function ends without a return: what is computed in it goes nowhere
__host__ __device__ unsigned pitch(unsigned side) {
  side += 1;
}
__global__ void k(float* out) { out[pitch(threadIdx.x)] = 1.0f; }
