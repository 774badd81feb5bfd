// 3:24 -> the two pointers are to different types: make one of the other by reinterpret_cast, as in reinterpret_cast<const float4*>(pointer)
__global__ void k(const float* in, float4* out) {
  const float4* from = in + 4 * threadIdx.x;
  out[threadIdx.x] = *from;
}
