// 3:21 -> what is only read stays const: cast to a pointer to const, as in reinterpret_cast<const float4*>(pointer)
__global__ void k(const float* in, float* out) {
  float4* vectors = reinterpret_cast<float4*>(in);
  out[0] = vectors[threadIdx.x].x;
}
