// 8:34 -> it is a template: its arguments stand behind its name, as in Name<kValue>
template <unsigned kSide>
struct Tile {
  static constexpr unsigned kTerms = 8;
  float a[kTerms][kSide];
};
__global__ void k(const float* in, float* out) {
  for (unsigned term = 0; term < Tile::kTerms; ++term) out[term] = in[term];
}
