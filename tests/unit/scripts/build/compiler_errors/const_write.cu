// 3:3 -> only what is not const can be changed: is it declared const, or behind a pointer to const? Or is it an array? That is changed element by element: array[i] = ...
__global__ void k(const float* in, float* out, int n) {
  in[0] = out[0];
}

