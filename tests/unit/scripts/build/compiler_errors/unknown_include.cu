// 2:10 -> is the header's name spelled as in the file that was handed out?
#include <workbook/reductions.h>
void f(const float* in, float* out, int n) {
  out[0] = in[0];
}
