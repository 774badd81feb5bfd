// SPDX-License-Identifier: MIT
#include "checkers/race/shadow/pool.h"

#include <sys/mman.h>

#include <new>

namespace cudasim {

void UnmapArray::operator()(void* begin) const { munmap(begin, bytes); }

void* map_huge(std::size_t bytes) {
  void* begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  if (bytes >= std::size_t{2} << 20) madvise(begin, bytes, MADV_HUGEPAGE);  // advice only
  return begin;
}

}  // namespace cudasim
