// SPDX-License-Identifier: MIT
// printf of a kernel: the same text as the host's printf for every conversion, and no harm from a malformed format.
#include "machine/control/printf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace cudasim {
namespace {

/// Arguments as nvcc packs them: each at a multiple of its size.
class Arguments {
 public:
  Arguments& add(int value) { return append(value); }
  Arguments& add(long long value) { return append(value); }
  Arguments& add(double value) { return append(value); }
  Arguments& add(const char* text) {
    strings_.emplace_back(text);
    return append(std::uint64_t{1000} + strings_.size() - 1);
  }

  std::string format(std::string_view format, int* count = nullptr) const {
    return format_printf(
        format,
        [this](std::uint64_t offset, void* to, std::size_t size) {
          if (offset > bytes_.size() || size > bytes_.size() - offset) return false;
          std::memcpy(to, bytes_.data() + offset, size);
          return true;
        },
        [this](std::uint64_t address) {
          return address >= 1000 && address - 1000 < strings_.size() ? strings_[address - 1000]
                                                                     : std::string("(unreadable)");
        },
        count);
  }

 private:
  template <typename Value>
  Arguments& append(Value value) {
    bytes_.resize((bytes_.size() + sizeof value - 1) / sizeof value * sizeof value + sizeof value);
    std::memcpy(bytes_.data() + bytes_.size() - sizeof value, &value, sizeof value);
    return *this;
  }
  std::vector<std::byte> bytes_;
  std::vector<std::string> strings_;
};

TEST(Printf, CopiesPlainText) {
  EXPECT_EQ(Arguments().format(""), "");
  EXPECT_EQ(Arguments().format("100%% of it\n"), "100% of it\n");
}

TEST(Printf, FormatsIntegers) {
  EXPECT_EQ(Arguments().add(-5).add(7).add(255).add(255).add(8).format("%d %i %x %X %o"), "-5 7 ff FF 10");
  EXPECT_EQ(Arguments().add(-1).format("%u"), "4294967295");
  EXPECT_EQ(Arguments().add(42).add(42).add(42).add(42).format("[%5d|%-5d|%05d|%+d]"), "[   42|42   |00042|+42]");
  EXPECT_EQ(Arguments().add(255).add(255).format("%#x % d"), "0xff  255");
  EXPECT_EQ(Arguments().add(7).format("%.3d"), "007");
  EXPECT_EQ(Arguments().add(300).add(70000).format("%hhd %hd"), "44 4464");
}

TEST(Printf, FormatsWideIntegersAtTheirAlignment) {
  const long long big = 1234567890123456789;
  EXPECT_EQ(Arguments().add(1).add(big).add(2).add(big).format("%d %lld %d %ld"),
            "1 1234567890123456789 2 1234567890123456789");
  EXPECT_EQ(Arguments().add(-1LL).add(255LL).format("%llu %zx"), "18446744073709551615 ff");
}

TEST(Printf, FormatsFloats) {
  EXPECT_EQ(Arguments().add(3.14159265).add(1e10).add(0.5).format("%f %e %g"), "3.141593 1.000000e+10 0.5");
  EXPECT_EQ(Arguments().add(2.0).add(1.0).format("%8.3f|%A"), "   2.000|0X1P+0");
  EXPECT_EQ(Arguments().add(std::nan("")).add(-std::numeric_limits<double>::infinity()).format("%f %F"), "nan -INF");
  EXPECT_EQ(Arguments().add(1).add(0.25).add(2).format("%d %g %d"), "1 0.25 2");
}

TEST(Printf, FormatsCharactersStringsAndPointers) {
  EXPECT_EQ(Arguments().add('x').add("hello").format("%c-%s"), "x-hello");
  EXPECT_EQ(Arguments().add("hello").add("hello").format("[%8s|%.2s]"), "[   hello|he]");
  EXPECT_EQ(Arguments().add(0LL).format("%s"), "(null)");
  EXPECT_EQ(Arguments().add(5LL).format("%s"), "(unreadable)");
  EXPECT_EQ(Arguments().add(0x700000001000LL).format("%p"), "0x700000001000");
}

TEST(Printf, TakesWidthAndPrecisionFromArguments) {
  EXPECT_EQ(Arguments().add(6).add(42).format("[%*d]"), "[    42]");
  EXPECT_EQ(Arguments().add(-6).add(42).format("[%*d]"), "[42    ]");
  EXPECT_EQ(Arguments().add(8).add(2).add(3.14159).format("[%*.*f]"), "[    3.14]");
  EXPECT_EQ(Arguments().add(-1).add(1.5).format("%.*f"), "1.500000") << "a negative precision is none";
}

TEST(Printf, CountsItsArguments) {
  int count = -1;
  Arguments().add(6).add(42).add("x").format("%*d %s %%", &count);
  EXPECT_EQ(count, 3);
  Arguments().format("none", &count);
  EXPECT_EQ(count, 0);
}

TEST(Printf, ShowsMalformedConversionsAsTheyAre) {
  EXPECT_EQ(Arguments().add(1).format("%y"), "%y");
  EXPECT_EQ(Arguments().add(1).format("%n"), "%n");
  EXPECT_EQ(Arguments().format("%"), "%");
  EXPECT_EQ(Arguments().format("%-+ #0"), "%-+ #0");
  EXPECT_EQ(Arguments().format("%12."), "%12.");
  EXPECT_EQ(Arguments().format("%ll"), "%ll");
  EXPECT_EQ(Arguments().format(std::string_view("a%\0b", 4)), std::string("a%\0b", 4));
}

TEST(Printf, ShowsConversionsWithoutArgument) {
  EXPECT_EQ(Arguments().add(1).format("%d %d"), "1 %d");
  EXPECT_EQ(Arguments().format("%s %f %*d"), "%s %f %*d");
  EXPECT_EQ(Arguments().add(1).format("%lld"), "%lld") << "four bytes are not eight";
}

TEST(Printf, CutsHugeWidths) {
  EXPECT_EQ(Arguments().add(1).format("%999999999999999999999d").size(), 4095u);
  EXPECT_EQ(Arguments().add(2147483647).add(1).format("%*d").size(), 4095u);
  EXPECT_EQ(Arguments().add(std::numeric_limits<int>::min()).add(1).format("%*d").size(), 4095u);
  EXPECT_EQ(Arguments().add(1.0).format("%.2000000000f").size(), 4095u + 2);
}

TEST(Printf, SurvivesRandomFormats) {
  std::mt19937 random(12345);
  const std::string_view letters = "%%%%%diuoxXcsfFeEgGaApnhlLjzt*.-+ #0123456789yq\x80\xff";
  for (int i = 0; i < 20000; ++i) {
    std::string format;
    for (auto n = random() % 30; n > 0; --n) format += letters[random() % letters.size()];
    const std::string text = Arguments().add(3).add("abc").add(2.5).add(-7).add(1LL).format(format);
    EXPECT_LT(text.size(), 30u * 4500u) << format;
  }
}

}  // namespace
}  // namespace cudasim
