// SPDX-License-Identifier: MIT
// Maps of a picture, against a copy: it moves the same bytes, and computes nothing.
#include <stdexcept>

#include "workbook/bench/bench_inputs.h"
#include "workbook/bench/benchmark.h"
#include "workbook/judge/compare.h"
#include "workbook/problem/maps/picture/picture_problem.h"

namespace workbook {
namespace {

class PictureBenchmark final : public Benchmark {
 public:
  PictureBenchmark(MapOnDevice on_device, const Settings& settings, std::size_t buffers)
      : on_device_(on_device),
        settings_(settings),
        n_(settings.sizes[0] * settings.sizes[1]),
        period_(numbers(period_size(Inputs::total_size(n_, buffers)))),
        inputs_(period_, n_, buffers),
        output_(n_),
        peers_{{"cudaMemcpyAsync", "", [this](std::size_t turn) {
                  CUDA_CHECK(cudaMemcpyAsync(output_.data(), inputs_.input(turn), n_ * sizeof(Pixel),
                                             cudaMemcpyDeviceToDevice));
                }}} {
    if (n_ == 0) throw std::invalid_argument("a picture without pixels is not for the benchmark");
  }

  const std::vector<Peer>& peers() const override { return peers_; }
  void launch(std::size_t turn) override {
    call_map(on_device_, settings_, settings_.block, inputs_.input(turn), output_.data(), nullptr);
  }
  BenchCheck check(std::size_t turn) override {
    std::vector<Pixel> input(n_);
    for (std::size_t i = 0; i < n_; ++i) input[i] = period_[(turn * Inputs::stride(n_) + i) % period_.size()];
    BenchCheck result;
    peers_[0].launch(turn);
    result.peers.push_back(judged(input));
    launch(turn);
    result.stage = judged(mapped_picture(settings_, input));
    return result;
  }
  bool is_changed(std::size_t turn) override { return inputs_.is_changed(turn); }
  void restore() override { inputs_.restore(); }

 private:
  using Inputs = BenchInputs<Pixel>;

  static std::vector<Pixel> numbers(std::size_t count) {
    Settings settings;
    settings.sizes = {1, count};
    return picture_of(settings);
  }

  static Words words(const std::vector<Pixel>& pixels) {
    return {reinterpret_cast<const std::uint32_t*>(pixels.data()), 1, 4 * pixels.size()};
  }
  Verdict judged(const std::vector<Pixel>& wanted) const {
    const std::vector<Pixel> got = read_back(output_.data(), n_, nullptr);
    return compare_words(words(got), words(wanted), {});
  }

  MapOnDevice on_device_;
  Settings settings_;
  std::size_t n_;
  std::vector<Pixel> period_;
  Inputs inputs_;
  DeviceArray<Pixel> output_;
  std::vector<Peer> peers_;
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  const auto& problem = static_cast<const PictureProblem&>(this_problem());
  return std::make_unique<PictureBenchmark>(problem.on_device(), settings, buffers);
}

}  // namespace workbook
