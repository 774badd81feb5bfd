// SPDX-License-Identifier: MIT
// The first hit of a key against thrust::find, which allocates its memory in each call, and waits for its result.
#include <thrust/execution_policy.h>
#include <thrust/find.h>
#include <thrust/version.h>

#include "workbook/bench/cub_peer.h"
#include "workbook/case/ticket.h"
#include "workbook/problem/searches/find/bench/find_benchmark.h"

namespace workbook {
namespace {

template <typename T>
class FindBenchmark final : public KeysBenchmark<T> {
 public:
  FindBenchmark(const Settings& settings, std::size_t buffers)
      : KeysBenchmark<T>(settings, buffers), first_(1), result_(1) {
    first_.fill(0xFF);
    this->add_peer({"thrust::find, Thrust " + std::to_string(THRUST_MAJOR_VERSION) + "." +
                        std::to_string(THRUST_MINOR_VERSION) + "." + std::to_string(THRUST_SUBMINOR_VERSION),
                    "", [this](std::size_t turn) { ask_thrust(turn); }, cub_tuned_for()});
  }

  void launch(std::size_t turn) override {
    find_on_device(this->keys(turn), this->n(), this->x(), this->block_size(),
                   {first_.data(), ticket_.data(), result_.data(), nullptr});
  }

  BenchCheck check(std::size_t turn) override {
    const std::size_t first = this->known(turn).first;
    const auto judged = [&](unsigned long long got) { return judge_first(got, first, this->n(), false); };
    ask_thrust(turn);
    const Verdict peer = judged(found_by_peer_);
    result_.fill(0xFF);
    launch(turn);
    return {judged(read_back(result_.data())), {peer}, 0.0};
  }

 private:
  void ask_thrust(std::size_t turn) {
    const T* const keys = this->keys(turn);
    const T* const found = thrust::find(thrust::device, keys, keys + this->n(), this->x());
    found_by_peer_ = static_cast<unsigned long long>(found - keys);
  }

  DeviceArray<unsigned long long> first_;
  Ticket ticket_;
  DeviceArray<unsigned long long> result_;
  unsigned long long found_by_peer_ = 0;
};

}  // namespace

std::unique_ptr<Benchmark> make_benchmark(const Settings& settings, std::size_t buffers) {
  return with_type(FindChoice(settings).type, [&](auto zero) -> std::unique_ptr<Benchmark> {
    return std::make_unique<FindBenchmark<decltype(zero)>>(settings, buffers);
  });
}

}  // namespace workbook
