// SPDX-License-Identifier: MIT
#include "libraries/rand/numbers.h"

#include <cmath>

#include "libraries/rand/streams.h"

namespace cudasim {
namespace {

constexpr float kPer32 = 2.3283064e-10f;             // 2^-32
constexpr double kPer53 = 0x1p-53;                   // the distance of doubles below 1
constexpr double kMrgNorm = 2.3283065498378288e-10;  // 1 / 4294967087, rounded down
constexpr double kPi = 3.14159265358979323846;

float uniform_of(std::uint32_t x) { return std::fma(static_cast<float>(x), kPer32, kPer32 / 2); }
std::uint64_t joined(std::uint32_t x, std::uint32_t y) { return x ^ static_cast<std::uint64_t>(y) << 21; }
double uniform_of(std::uint32_t x, std::uint32_t y) { return static_cast<double>(joined(x, y)) * kPer53 + kPer53 / 2; }

/// Two normal numbers (Box and Muller). `angle` is in radians.
void box_muller(float u, float angle, float* out) {
  const float length = std::sqrt(-2.0f * std::log(u));
  out[0] = std::sin(angle) * length;
  out[1] = std::cos(angle) * length;
}
/// `half_turns` from 0 to 2.
void box_muller(double u, double half_turns, double* out) {
  const double length = std::sqrt(-2.0 * std::log(u));
  const double quarter = std::rint(2 * half_turns);
  const double rest = (half_turns - quarter / 2) * kPi;
  const double sine = std::sin(rest), cosine = std::cos(rest);
  const bool swaps = static_cast<int>(quarter) % 2 != 0;
  const double x = swaps ? cosine : sine, y = swaps ? -sine : cosine;
  const bool is_back = static_cast<int>(quarter) % 4 >= 2;
  out[0] = (is_back ? -x : x) * length;
  out[1] = (is_back ? -y : y) * length;
}
void box_muller(std::uint32_t x, std::uint32_t y, float* out) {
  constexpr float kAngle = 2.3283064e-10f * 6.2831855f;
  box_muller(uniform_of(x), std::fma(static_cast<float>(y), kAngle, kAngle / 2), out);
}
void box_muller(std::uint32_t x0, std::uint32_t x1, std::uint32_t y0, std::uint32_t y1, double* out) {
  box_muller(uniform_of(x0, x1), static_cast<double>(joined(y0, y1)) * (2 * kPer53) + kPer53, out);
}

float next_uniform(Xorwow& stream, float) { return uniform_of(stream.bits()); }
double next_uniform(Xorwow& stream, double) {
  const std::uint32_t x = stream.bits();
  return uniform_of(x, stream.bits());
}
double next_uniform(Mrg32k3a& stream, double) { return stream.draw() * kMrgNorm; }
float next_uniform(Mrg32k3a& stream, float) { return static_cast<float>(stream.draw() * kMrgNorm); }

void next_normal(Xorwow& stream, float* out) {
  const std::uint32_t x = stream.bits();
  box_muller(x, stream.bits(), out);
}
void next_normal(Xorwow& stream, double* out) {
  std::array<std::uint32_t, 4> x{};
  for (std::uint32_t& word : x) word = stream.bits();
  box_muller(x[0], x[1], x[2], x[3], out);
}
void next_normal(Mrg32k3a& stream, float* out) {
  const float u = next_uniform(stream, float{});
  box_muller(u, next_uniform(stream, float{}) * 6.2831855f, out);
}
void next_normal(Mrg32k3a& stream, double* out) {
  const double u = next_uniform(stream, double{});
  box_muller(u, next_uniform(stream, double{}) * 2.0, out);
}

/// Each thread gives one number in its turn, or two normal ones.
template <typename Stream>
class InTurns final : public Numbers {
 public:
  explicit InTurns(const SequenceStart& start) : start_(start) {}
  void bits(std::uint32_t* out, std::size_t n) override {
    for (std::size_t i = 0; i < n; ++i) out[i] = next().bits();
  }
  void uniform(float* out, std::size_t n) override {
    for (std::size_t i = 0; i < n; ++i) out[i] = next_uniform(next(), float{});
  }
  void uniform(double* out, std::size_t n) override {
    for (std::size_t i = 0; i < n; ++i) out[i] = next_uniform(next(), double{});
  }
  void normal(float* out, std::size_t n) override {
    for (std::size_t i = 0; i < n; i += 2) next_normal(next(), out + i);
  }
  void normal(double* out, std::size_t n) override {
    for (std::size_t i = 0; i < n; i += 2) next_normal(next(), out + i);
  }

 private:
  Stream& next() {
    if (streams_.empty()) make();
    Stream& stream = streams_[thread_];
    if (++thread_ == streams_.size()) thread_ = 0;
    return stream;
  }
  void make();

  SequenceStart start_;
  std::vector<Stream> streams_;
  std::size_t thread_ = 0;
};

template <>
void InTurns<Xorwow>::make() {
  streams_ = xorwow_streams(start_.seed, start_.offset);
  thread_ = start_.offset % streams_.size();
}
template <>
void InTurns<Mrg32k3a>::make() {
  streams_ = mrg_streams(start_.seed, start_.offset, start_.is_legacy ? Mrg32k3a::kLegacyThreads : Mrg32k3a::kThreads);
  thread_ = start_.offset % streams_.size();
}

/// Each thread gives four numbers in its turn. A call may end within a turn, and the next goes on there.
class PhiloxNumbers final : public Numbers {
 public:
  explicit PhiloxNumbers(const SequenceStart& start)
      : seed_(start.seed),
        counters_(Philox::kThreads, start.offset / 4 / Philox::kThreads),
        thread_(start.offset / 4 % Philox::kThreads),
        place_(start.offset % 4) {
    for (std::uint64_t thread = 0; thread < thread_; ++thread) ++counters_[thread];
  }
  void bits(std::uint32_t* out, std::size_t n) override {
    give(out, n, 1, [](const Words& words, std::uint32_t* four) {
      for (std::size_t i = 0; i < 4; ++i) four[i] = words[i];
    });
  }
  void uniform(float* out, std::size_t n) override {
    give(out, n, 1, [](const Words& words, float* four) {
      for (std::size_t i = 0; i < 4; ++i) four[i] = uniform_of(words[i]);
    });
  }
  void uniform(double* out, std::size_t n) override {
    give(out, n, 2, [](const Words& words, double* four) {
      for (std::size_t i = 0; i < 4; ++i) four[i] = uniform_of(words[2 * i], words[2 * i + 1]);
    });
  }
  void normal(float* out, std::size_t n) override {
    give(out, n, 1, [](const Words& words, float* four) {
      box_muller(words[0], words[1], four);
      box_muller(words[2], words[3], four + 2);
    });
  }
  void normal(double* out, std::size_t n) override {
    give(out, n, 2, [](const Words& words, double* four) {
      box_muller(words[0], words[1], words[2], words[3], four);
      box_muller(words[4], words[5], words[6], words[7], four + 2);
    });
  }

 private:
  using Words = std::array<std::uint32_t, 8>;

  template <typename T, typename Make>
  void give(T* out, std::size_t n, unsigned blocks, Make make) {
    for (std::size_t i = 0; i < n;) {
      Words words{};
      for (unsigned block = 0; block < blocks; ++block) {
        const auto four = Philox::block(counters_[thread_] + block, thread_, seed_);
        for (std::size_t word = 0; word < 4; ++word) words[4 * block + word] = four[word];
      }
      T numbers[4];
      make(words, numbers);
      while (place_ < 4 && i < n) out[i++] = numbers[place_++];
      if (place_ < 4) return;
      place_ = 0;
      counters_[thread_] += blocks;
      thread_ = (thread_ + 1) % Philox::kThreads;
    }
  }

  std::uint64_t seed_;
  std::vector<std::uint64_t> counters_;  ///< by thread
  std::uint64_t thread_;
  std::size_t place_;  ///< within the four of the thread
};

}  // namespace

std::unique_ptr<Numbers> make_numbers(const SequenceStart& start) {
  switch (start.sequence) {
    case Sequence::xorwow:
      return std::make_unique<InTurns<Xorwow>>(start);
    case Sequence::mrg32k3a:
      return std::make_unique<InTurns<Mrg32k3a>>(start);
    case Sequence::philox:
      return std::make_unique<PhiloxNumbers>(start);
  }
  return nullptr;
}

}  // namespace cudasim
