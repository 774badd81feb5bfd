// SPDX-License-Identifier: MIT
// What products with a workspace promise beyond one result. One after the other they use the same workspace. Two at
// once, in two streams, do not meet.
#include <gtest/gtest.h>

#include <vector>

#include "workbook/case/device_memory.h"
#include "workbook/case/stage.h"
#include "workbook/problem/products/matmul/matmul_problem.h"
#include "workbook/program/command_line.h"

namespace workbook {

/// A product on the device, of numbers whose sums are exact. The caller gives the workspace.
class ProductOnDevice {
 public:
  ProductOnDevice(std::size_t m, std::size_t n, std::size_t k, std::uint32_t seed)
      : product_(make_product(Factors::integers, m, n, k, seed)), a_(m * k), b_(k * n), c_(m * n) {
    CUDA_CHECK(cudaMemcpy(a_.data(), product_.a.data(), a_.size_bytes(), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(b_.data(), product_.b.data(), b_.size_bytes(), cudaMemcpyHostToDevice));
  }
  std::size_t workspace() const { return workspace_size(function(), product_.m, product_.n, product_.k); }

  void launch(float* workspace, cudaStream_t stream) {
    const Settings settings = default_settings(this_stage(), this_problem());
    const std::size_t m = product_.m, n = product_.n, k = product_.k;
    c_.fill(0xFF, stream);
    call_product(function(), ProductChoice(settings), {a_.data(), m, k, k}, {b_.data(), k, n, n}, {c_.data(), m, n, n},
                 workspace, settings.block, stream);
  }
  bool is_right(cudaStream_t stream) const { return read_back(c_.data(), c_.size(), stream) == product_.c; }

 private:
  static const ProductFunction& function() { return static_cast<const MatmulProblem&>(this_problem()).function(); }

  Product product_;
  DeviceArray<float> a_, b_, c_;
};

TEST(Workspace, ServesOneProductAfterTheOther) {
  std::vector<ProductOnDevice> products;
  std::size_t size = 0;
  for (const Sizes& sizes : {Sizes{64, 64, 2000}, Sizes{3, 5, 4000}, Sizes{130, 260, 40}, Sizes{65, 1, 900}}) {
    products.emplace_back(sizes[0], sizes[1], sizes[2], static_cast<std::uint32_t>(products.size()));
    size = std::max(size, products.back().workspace());
  }
  const DeviceArray<float> memory(size);
  for (int round = 0; round < 3; ++round) {
    for (ProductOnDevice& product : products) product.launch(memory.data(), nullptr);  // not waited for
    for (std::size_t i = 0; i < products.size(); ++i) EXPECT_TRUE(products[i].is_right(nullptr)) << "product " << i;
  }
}

TEST(Workspace, TwoProductsAtOnceDoNotMeet) {
  ProductOnDevice products[2] = {{70, 60, 1500, 1}, {50, 90, 1700, 2}};
  const DeviceArray<float> memory[2] = {DeviceArray<float>(products[0].workspace()),
                                        DeviceArray<float>(products[1].workspace())};
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 2; ++i) products[i].launch(memory[i].data(), streams[i]);
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(products[i].is_right(streams[i])) << "round " << round << ", product " << i;
  }
  for (const cudaStream_t stream : streams) CUDA_CHECK(cudaStreamDestroy(stream));
}

}  // namespace workbook
