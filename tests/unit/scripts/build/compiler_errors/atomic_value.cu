// 3:3 -> atomicAdd takes the address of the number to add to, and a value of the same type: atomicAdd(pointer, value)
__global__ void k(const float* in, float* out, int n) {
  atomicAdd(out[0], in[0]);
}

