// 4:12 -> only an array or a pointer has elements to take with [ ]
__global__ void k(const float* in, float* out, int n) {
  float values = in[0];
  out[0] = values[1];
}

