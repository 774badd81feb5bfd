// SPDX-License-Identifier: MIT
// Names in findings and reports.
#include "base/demangle.h"

#include <gtest/gtest.h>

namespace cudasim {
namespace {

TEST(Demangle, GivesNamesAsTheyWereWritten) {
  EXPECT_EQ(demangle("_Z6reducePfi"), "reduce(float*, int)");
  EXPECT_EQ(demangle("reduce"), "reduce");
  EXPECT_EQ(demangle("_Z3addB2v1B3c_wPf"), "add(float*)");  // a kernel of Numba
  EXPECT_EQ(demangle("_Z"), "_Z");
}

TEST(Demangle, DropsTheNamespacesThatNvccMakesForFiles) {
  EXPECT_EQ(demangle("_ZN34_INTERNAL_13618fa1_4_a_cu_f8c959979atomicAddEPii"), "atomicAdd(int*, int)");
  EXPECT_EQ(demangle("_Z10_INTERNAL_i"), "_INTERNAL_(int)") << "a function may be called so";
}

TEST(Demangle, ShortensTheNamesOfLibraries) {
  EXPECT_EQ(short_name("_Z9atomicAddPdd"), "atomicAdd(double*, double)");
  EXPECT_EQ(short_name("unsigned int cub::CUB_300001_SM_750::BlockReduce<int, 64, (cub::Kind)2>::Sum<Op<1> >(int, Op)"),
            "cub::BlockReduce::Sum()");
  EXPECT_EQ(
      short_name("cuda::std::__4::storage<int> const::under cuda::std::__4::atomic_ref<int>::fetch_add(int) const"),
      "cuda::std::atomic_ref::fetch_add()");
  EXPECT_EQ(short_name("int cuda::std::__4::plus<int>::operator()(int const&, int const&) const"),
            "cuda::std::plus::operator()");
  EXPECT_EQ(short_name("cuda::std::__4::__atomic_ref<int>::operator int() const"),
            "cuda::std::__atomic_ref::operator int()");
  EXPECT_EQ(short_name("thrust::THRUST_300001_SM_750::iterator<int*>::operator->() const"),
            "thrust::iterator::operator->()");
}

TEST(Demangle, NamesASharedVariableOfAFunction) {
  const std::string turn = "_ZZ9draw_tileR5BoardjE4turn_$_0";
  EXPECT_EQ(variable_name(turn), "turn");
  EXPECT_EQ(function_of_variable(turn), "draw_tile()");
  EXPECT_EQ(variable_name("_ZZ4drawvE4turn#shared2"), "turn");
  EXPECT_EQ(function_of_variable("_ZZN5tiles4drawIiEEvT_E4turn"), "tiles::draw()");
  EXPECT_EQ(function_of_variable("_ZN5space6valuesE"), "");
  EXPECT_EQ(function_of_variable("values"), "");
}

}  // namespace
}  // namespace cudasim
