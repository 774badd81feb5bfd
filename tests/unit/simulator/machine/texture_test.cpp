// SPDX-License-Identifier: MIT
// Texture fetches that cannot be made end in a finding that says why. What fetches read is proven against an H200, in
// tests/gpu/programs/recorded/texture_tables.cu.
#include "program/texture.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>

#include "decode/module.h"
#include "machine/run.h"
#include "program/launch.h"
#include "program/program.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

constexpr std::uint64_t object = 5;

class TextureFetches : public testing::Test {
 protected:
  TextureFetches() : memory_(1 << 20), texels_(memory_.allocate(64, Origin::cuda_malloc)) {
    texture_.address = texels_->address;
    texture_.extent[0] = 16;
    const float value = 2.5f;
    std::memcpy(texels_->host + 12, &value, sizeof value);
  }

  /// What comes of `tex.` and the rest, with %rd1 the object, %f1 = 3 and %r1 = 3.
  Outcome fetch(const std::string& rest) {
    Module module(ptx::parse(R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 object, .param .u64 out) {
.reg .b32 %r<4>; .reg .f32 %f<6>; .reg .b64 %rd<3>;
ld.param.u64 %rd1, [object];
ld.param.u64 %rd2, [out];
mov.f32 %f1, 0f40400000;
mov.u32 %r1, 3;
tex.)" + rest + R"(;
st.global.f32 [%rd2], %f2;
ret;
})"),
                  memory_);
    const Allocation* out = memory_.allocate(4, Origin::cuda_malloc);
    Launch launch;
    launch.textures = &table_;
    launch.parameters.resize(16);
    std::memcpy(launch.parameters.data(), &object, 8);
    std::memcpy(launch.parameters.data() + 8, &out->address, 8);
    Outcome outcome = run(module.program("k"), launch, memory_, {});
    std::memcpy(&result_, out->host, sizeof result_);
    return outcome;
  }

  void expect_finding(const std::string& rest, FindingKind kind, const std::string& words) {
    const Outcome outcome = fetch(rest);
    ASSERT_EQ(outcome.findings.size(), 1u);
    EXPECT_EQ(outcome.findings[0].kind, kind);
    EXPECT_NE(outcome.findings[0].message.find(words), std::string::npos) << outcome.findings[0].message;
    EXPECT_EQ(outcome.cuda_error, 700);
  }

  Memory memory_;
  const Allocation* texels_;
  Texture texture_;
  TextureTable table_;
  float result_ = 0;
};

const char* const by_place = "1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f1}]";
const char* const by_number = "1d.v4.f32.s32 {%f2, %f3, %f4, %f5}, [%rd1, {%r1}]";

TEST_F(TextureFetches, ReadATexel) {
  table_[object] = texture_;
  EXPECT_TRUE(fetch(by_place).findings.empty());
  EXPECT_EQ(result_, 2.5f);
  result_ = 0;
  table_[object].is_plain_memory = true;
  EXPECT_TRUE(fetch(by_number).findings.empty());
  EXPECT_EQ(result_, 2.5f);
}

TEST_F(TextureFetches, ALayerBehindTheLastIsTheLast) {
  std::array<float, 32> texels{};
  texels[3] = 2.5f;
  texels[16 + 3] = 7.5f;
  texture_.layers = 2;
  texture_.slice_bytes = 64;
  for (const std::uint32_t layer : {0u, 1u, 2u, 9u}) {
    const auto words = cudasim::fetch(texture_, reinterpret_cast<const std::byte*>(texels.data()), {3, 0, 0}, layer);
    EXPECT_EQ(std::memcmp(words.data(), &texels[layer == 0 ? 3 : 16 + 3], sizeof(float)), 0) << layer;
  }
}

TEST_F(TextureFetches, NeedATextureObject) {
  expect_finding(by_place, FindingKind::out_of_bounds, "a texture object that there is not");
}

TEST_F(TextureFetches, NeedOneOfTheirKind) {
  table_[object] = texture_;
  expect_finding(by_number, FindingKind::out_of_bounds, "not of linear memory");
  expect_finding("2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f1, %f1}]", FindingKind::out_of_bounds,
                 "other dimensions");
  expect_finding("a1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%r1, %f1}]", FindingKind::out_of_bounds,
                 "other dimensions");
  table_[object].is_plain_memory = true;
  expect_finding(by_place, FindingKind::out_of_bounds, "takes tex1Dfetch only");
}

TEST_F(TextureFetches, NeedTheirMemory) {
  table_[object] = texture_;
  memory_.release(texels_->address);
  expect_finding(by_place, FindingKind::use_after_free, "memory that was freed");
}

}  // namespace
}  // namespace cudasim
