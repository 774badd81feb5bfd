// SPDX-License-Identifier: MIT
// Kernels that no fit and no rule of the estimate of time has seen: it is judged by them. They are chosen from samples,
// suites of benchmarks, textbooks and homework, before any of their times was known. They are launched as the ordinary
// kernels are, and never change after a time is recorded.
#pragma once

#include "../ordinary/ordinary.h"

namespace unseen {

using ordinary::bytes, ordinary::doubles, ordinary::floats, ordinary::launch, ordinary::pick, ordinary::sorted,
    ordinary::words, ordinary::zeros;

constexpr int kBlock = 256;

/// Blocks of `block` threads for `n` elements.
inline int blocks_of(int n, int block = kBlock) { return (n + block - 1) / block; }

void elements();
void reductions();
void scans();
void dense();
void sparse();
void stencils();
void images();
void bits();
void texts();
void gathers();
void sorting();
void physics();

}  // namespace unseen
