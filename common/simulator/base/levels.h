// SPDX-License-Identifier: MIT
// The vector levels of this build. CMakeLists.txt compiles those in CUDASIM_LEVELS and defines CUDASIM_HAS_... for
// each.
#pragma once

// clang-format off
#if defined(CUDASIM_HAS_BASELINE)
#define CUDASIM_AT_BASELINE(name) &baseline::name
#else
#define CUDASIM_AT_BASELINE(name) nullptr
#endif
#if defined(CUDASIM_HAS_AVX2)
#define CUDASIM_AT_AVX2(name) &avx2::name
#else
#define CUDASIM_AT_AVX2(name) nullptr
#endif
#if defined(CUDASIM_HAS_AVX512)
#define CUDASIM_AT_AVX512(name) &avx512::name
#else
#define CUDASIM_AT_AVX512(name) nullptr
#endif
// clang-format on

/// The value of `name` at each level, in the order of enum Level; nullptr at a level that this build lacks.
#define CUDASIM_AT_LEVELS(name) \
  { CUDASIM_AT_BASELINE(name), CUDASIM_AT_AVX2(name), CUDASIM_AT_AVX512(name) }
