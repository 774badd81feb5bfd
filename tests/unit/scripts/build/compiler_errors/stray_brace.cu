// 6:1 -> does a } too many, above, end the function here already?
__global__ void k(const float* in, float* out, int n) {
  out[0] = in[0];
  }

}

