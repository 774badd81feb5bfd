// SPDX-License-Identifier: MIT
// cvt with numbers of 4 and 6 bits and with exponents alone, against the conversions for the host in the toolkit's
// headers: every number of a small format, and the other way every tie and its neighbours.
#include <gtest/gtest.h>

#if __has_include(<cuda_fp4.h>)
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cmath>
#include <limits>
#include <vector>

#include "isa_helpers.h"

namespace cudasim {
namespace {

using Bits = std::uint32_t;

struct SmallFormat {
  const char* name;
  unsigned bits, bits_of_part;
  Bits (*from_float)(float);
  Bits (*to_half)(Bits);
};
const SmallFormat kFormats[] = {
    {"e2m1x2", 4, 4, [](float x) -> Bits { return __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest); },
     [](Bits x) -> Bits { return __nv_cvt_fp4_to_halfraw(static_cast<unsigned char>(x), __NV_E2M1).x; }},
    {"e2m3x2", 6, 8, [](float x) -> Bits { return __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest); },
     [](Bits x) -> Bits { return __nv_cvt_fp6_to_halfraw(static_cast<unsigned char>(x), __NV_E2M3).x; }},
    {"e3m2x2", 6, 8, [](float x) -> Bits { return __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest); },
     [](Bits x) -> Bits { return __nv_cvt_fp6_to_halfraw(static_cast<unsigned char>(x), __NV_E3M2).x; }},
};

float value_of_half(Bits half) { return __half2float(__half(__half_raw{static_cast<unsigned short>(half)})); }

TEST(SmallFloats, BecomeTheHalvesOfTheToolkit) {
  for (const SmallFormat& format : kFormats) {
    const std::string name = std::string(".f16x2.") + format.name;
    for (Bits low = 0; low < 1u << format.bits; ++low) {
      const Bits high = ((1u << format.bits) - 1) ^ low, pair = (high << format.bits_of_part) | low;
      EXPECT_EQ(evaluate("cvt.rn" + name, {pair}), (format.to_half(high) << 16) | format.to_half(low)) << name << low;
      const auto positive = [&](Bits x) { return (format.to_half(x) >> 15) != 0 ? 0 : format.to_half(x); };
      EXPECT_EQ(evaluate("cvt.rn.relu" + name, {pair}), (positive(high) << 16) | positive(low)) << name << low;
    }
  }
}

/// The numbers of a format and what lies in the middle between two, each with its neighbours, of both signs; and what
/// no format has.
std::vector<float> hard_floats(const SmallFormat& format) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> list = {kInfinity, std::nanf("1"), std::nanf("77"), 0x1p-149f, 0x1p-126f, 0x1p127f, 65504, 1e30f};
  const unsigned positive = 1u << (format.bits - 1);
  for (Bits x = 0; x < positive; ++x) {
    const float value = value_of_half(format.to_half(x));
    const float next = x + 1 < positive ? value_of_half(format.to_half(x + 1)) : 2 * value;
    for (const float there : {value, (value + next) / 2})
      list.insert(list.end(), {there, std::nextafter(there, kInfinity), std::nextafter(there, 0.0f)});
  }
  const std::size_t count = list.size();
  for (std::size_t i = 0; i < count; ++i) list.push_back(-list[i]);
  return list;
}

TEST(SmallFloats, AreRoundedAsByTheToolkit) {
  for (const SmallFormat& format : kFormats) {
    const std::vector<float> list = hard_floats(format);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const float high = list[i], low = list[(i * 7 + 3) % list.size()];
      const auto expected = [&](auto of) { return (of(high) << format.bits_of_part) | of(low); };
      EXPECT_EQ(evaluate(std::string("cvt.rn.satfinite.") + format.name + ".f32", {as_bits(high), as_bits(low)}),
                expected(format.from_float))
          << format.name << " of " << high << ", " << low;
      EXPECT_EQ(evaluate(std::string("cvt.rn.satfinite.relu.") + format.name + ".f32", {as_bits(high), as_bits(low)}),
                expected([&](float x) -> Bits { return x <= 0 ? 0 : format.from_float(x); }))
          << format.name << " of " << high << ", " << low;
    }
  }
}

TEST(SmallFloats, FoursAreMadeOfEveryHalf) {
  for (Bits half = 0; half < 0x8000; ++half) {
    const Bits negative = half | 0x8000;
    const auto four = [](Bits x) -> Bits {
      return __nv_cvt_float_to_fp4(value_of_half(x), __NV_E2M1, cudaRoundNearest);
    };
    ASSERT_EQ(evaluate("cvt.rn.satfinite.e2m1x2.f16x2", {(negative << 16) | half}), (four(negative) << 4) | four(half))
        << half;
  }
}

TEST(SmallFloats, ExponentsAreThoseOfTheToolkit) {
  for (Bits x = 0; x < 256; ++x) {
    const Bits pair = (255 - x) << 8 | x;
    const __nv_bfloat162_raw both = __nv_cvt_e8m0x2_to_bf162raw(static_cast<unsigned short>(pair));
    EXPECT_EQ(evaluate("cvt.rn.bf16x2.ue8m0x2", {pair}), (Bits{both.y} << 16) | both.x) << x;
  }
  for (const bool up : {false, true}) {
    for (const bool satfinite : {false, true}) {
      const std::string opcode = std::string(up ? "cvt.rp" : "cvt.rz") + (satfinite ? ".satfinite" : "") + ".ue8m0x2";
      const auto saturation = satfinite ? __NV_SATFINITE : __NV_NOSAT;
      const auto rounding = up ? cudaRoundPosInf : cudaRoundZero;
      for (Bits x = 0; x < 0x8000; x += x < 0x200 || x > 0x7d00 ? 1 : 5) {
        const auto low = static_cast<unsigned short>(x), high = static_cast<unsigned short>(x ^ 0x8001);
        ASSERT_EQ(evaluate(opcode + ".bf16x2", {(Bits{high} << 16) | low}),
                  __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw{low, high}, saturation, rounding))
            << opcode << x;
        const float first = as_float((x << 16) + 1), second = as_float((x << 16) | 0x80008000);
        ASSERT_EQ(evaluate(opcode + ".f32", {as_bits(second), as_bits(first)}),
                  __nv_cvt_float2_to_e8m0x2(float2{first, second}, saturation, rounding))
            << opcode << x;
      }
    }
  }
}

}  // namespace
}  // namespace cudasim
#endif
