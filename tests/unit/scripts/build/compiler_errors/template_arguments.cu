// 9:3 -> the note names the first argument that does not fit: compare it with the function's parameter of that number
template <unsigned T>
__device__ void read_two(float (&numbers)[8], const float* row) {
  for (unsigned i = 0; i < 8; ++i) numbers[i] = row[i * T];
}
__global__ void k(float* out) {
  __shared__ float row[64];
  float numbers[8];
  read_two<8>(&row[threadIdx.x], numbers);
  out[threadIdx.x] = numbers[0];
}
