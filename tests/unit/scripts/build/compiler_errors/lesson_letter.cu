// 5:46 -> a letter of the lesson is a constant with a name in the code: is it kSide or kTerms?
constexpr unsigned kSide = 32;
constexpr unsigned kTerms = 8;
__global__ void k(const float* in, float* out) {
  for (unsigned from = 0; from < 64; from += T) out[from + kTerms] = in[from] * kSide;
}
