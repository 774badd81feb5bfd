// 4:24 -> the cast makes one pointer of another, and an element is none: is & missing before it, as in &tile[i]?
__global__ void k(const float* in, float* out) {
  __shared__ float tile[4096];
  const float4 four = *reinterpret_cast<const float4*>(in[threadIdx.x]);
  tile[threadIdx.x] = four.x;
  out[0] = tile[0];
}
