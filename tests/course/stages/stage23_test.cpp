// SPDX-License-Identifier: MIT
// What stage 23 promises beyond its products: where there are no terms, alpha counts for nothing (as in BLAS).
#include <gtest/gtest.h>

#include <limits>

#include "workbook/case/device_memory.h"
#include "workbook/student/gemm.h"

namespace workbook {

TEST(Gemm, NoTermsLeaveBetaTimesC) {
  for (const float alpha : {1.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    const float two = 2.0f;
    const DeviceArray<float> c(1), partials(4096);
    CUDA_CHECK(cudaMemcpy(c.data(), &two, sizeof two, cudaMemcpyHostToDevice));
    gemm_on_device(alpha, {{nullptr, 1, 0, 0}}, {{nullptr, 0, 1, 1}}, 3.0f, {c.data(), 1, 1, 1}, partials.data(),
                   dim3(256), nullptr);
    EXPECT_EQ(read_back(c.data()), 6.0f) << "alpha " << alpha;
  }
}

}  // namespace workbook
