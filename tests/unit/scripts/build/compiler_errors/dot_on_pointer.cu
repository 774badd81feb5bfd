// 4:3 -> it is a pointer: write -> in place of the point
struct W { float* p; };
__global__ void k(const W* w) {
  w.p[0] = 1;
}
