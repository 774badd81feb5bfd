// 5:7 -> there is workbook::is_in_front: put workbook:: before it
#include "workbook/student/binary_search.h"
using workbook::Bound;
__global__ void k(const std::uint32_t* keys, std::uint32_t query, std::uint32_t* place) {
  if (is_in_front<Bound::lower>(keys[0], query)) *place = 1;
}
