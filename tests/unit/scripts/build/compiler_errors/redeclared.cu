// 4:7 -> to give it another value, leave the type out; else take another name
__global__ void k(const float* in, float* out, int n) {
  int i = threadIdx.x;
  int i = n;
  out[i] = in[i];
}

