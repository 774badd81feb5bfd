// 5:38 -> what stands on both sides of the : must be of one type
template <typename Vector>
__global__ void k(const float* x, Vector* out, int n) {
  const int j = threadIdx.x;
  const Vector of_x = j < n ? x[j] : Vector{};
  out[j] = of_x;
}
void f(const float* x, float4* out, int n) {
  k<<<1, 32>>>(x, out, n);
}
