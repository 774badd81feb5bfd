// SPDX-License-Identifier: MIT
// needs: compute_80
// Stage 23: GEMM, alpha * A B + beta * C. It is the product of stage 22, with factors that may be stored transposed. A
// loader for each factor goes along what lies side by side in memory. C is read where beta is not 0, A and B where
// alpha is not.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "workbook/student/gemm.h"
#include "workbook/student/products/async_copy.h"
#include "workbook/student/products/loader_pair.h"
#include "workbook/student/products/plan.h"
#include "workbook/student/products/stream_k.h"

using namespace workbook::products;
using workbook::ConstMatrix, workbook::Matrix, workbook::Operand;

//                    tile      warps  lanes slices terms parts slots  blocks an SM  rows at once  any layout
struct Large : TileShape<128, 256, 2, 4, 8, 1, 8, 8, 3, 1, 1, false> {
  static constexpr Cost kCost{0.82, 20'000};
};
struct Medium : TileShape<64, 128, 1, 4, 8, 1, 16, 4, 3, 3, 0, false> {
  static constexpr Cost kCost{0.72, 1'200};
};
struct MediumInSlices : TileShape<64, 128, 1, 4, 8, 2, 16, 2, 3, 1, 8, true> {
  static constexpr Cost kCost{0.72, 1'200};
};
struct Small : TileShape<32, 64, 1, 1, 4, 8, 8, 2, 3, 1, 8, true> {
  static constexpr Cost kCost{0.58, 3'000};
};
struct Tiny : TileShape<16, 32, 1, 1, 4, 4, 8, 2, 4, 4, 4, false> {
  static constexpr Cost kCost{0.35, 2'000};
};

// How a loader brings a factor: along what lies side by side in memory (CUTLASS: its layout, K-major or MN-major).
enum class Way {
  kTerms,    // the terms of a line lie side by side: by a warp, 8 terms of each of 4 lines
  kLines,    // the lines of a term do: by a warp, 32 lines of a term
  kVectors,  // they do, and are brought four at a time
  kAny       // one of these, of which the kernel learns when it runs
};

// A factor as a loader sees it: lines of terms. Lines are rows of A or columns of B.
struct Lines {
  const float* data;
  std::size_t lines, terms;
  std::size_t pitch;  // of the matrix in memory
  Way way;

  __host__ __device__ bool terms_adjoin() const { return way == Way::kTerms; }
  // How far it is in memory from an element to the same term of the next line, and to the next term of the same line.
  // BEGIN SOLUTION: step 1. One of the two is the pitch.
  // UNTIL SOLVED: __host__ __device__ std::size_t from_line_to_line() const { return 0; }  // replace
  // UNTIL SOLVED: __host__ __device__ std::size_t from_term_to_term() const { return 0; }  // replace
  __host__ __device__ std::size_t from_line_to_line() const { return terms_adjoin() ? pitch : 1; }
  __host__ __device__ std::size_t from_term_to_term() const { return terms_adjoin() ? 1 : pitch; }
  // END SOLUTION
};

// The factor `stored`, whose terms or whose lines lie side by side.
Lines lines_of(const ConstMatrix& stored, std::size_t lines, std::size_t terms, bool terms_adjoin) {
  // BEGIN SOLUTION: step 2. Whether each four lines of a term are a vector, also the last four: then a vector
  //     begins at a multiple of 16 bytes in every term. Ask the address, the pitch, and the number of lines.
  // UNTIL SOLVED: const bool has_vectors = false;  // replace in step 2
  const bool has_vectors = stored.pitch % kVector == 0 && lines >= kVector && lines % kVector == 0 &&
                           reinterpret_cast<std::uintptr_t>(stored.data) % sizeof(float4) == 0;
  // END SOLUTION
  const Way along_lines = has_vectors ? Way::kVectors : Way::kLines;
  return {stored.data, lines, terms, stored.pitch, terms_adjoin ? Way::kTerms : along_lines};
}
Lines rows_of(const Operand& a) { return lines_of(a.stored, a.rows(), a.columns(), !a.is_transposed); }
Lines columns_of(const Operand& b) { return lines_of(b.stored, b.columns(), b.rows(), b.is_transposed); }

// OperandLoader: what one thread brings of a factor in each k-tile (CUTLASS: the iterator over its tiles). It brings
// kSize lines into a tile of rows of kWidth floats.
template <class Shape, int kSize, int kWidth, Way kWay>
class OperandLoader {
 public:
  // For the lines from `begin` on, and the terms from `first` on, into the tile of each slot. Lines that do not exist
  // are taken from the last one that does. They only come to sums that are never stored.
  __device__ OperandLoader(const Lines& lines, float (&tile)[Shape::kSlots][Shape::kTileTerms][kWidth],
                           std::size_t begin, std::size_t first)
      : way_(kWay == Way::kAny ? lines.way : kWay), from_term_to_term_(lines.from_term_to_term()) {
    const int floats = way_ == Way::kVectors ? kVector : 1;  // of a copy
    const int number = threadIdx.x * floats;
    // BEGIN SOLUTION: step 1. Which line and which term of the tile this thread's first copy brings. Let the
    //     lanes go along what lies side by side. For Way::kTerms these are kTermsOfWarp terms of a line, then those of
    //     the next line. Else the lanes go along the kSize lines of a term, then along those of the next term: `number`
    //     counts these floats, and says which one this thread's copy begins with.
    // UNTIL SOLVED: const int line = 0 * number, term = 0;  // replace
    const int line = way_ == Way::kTerms ? threadIdx.x / kTermsOfWarp : number % kSize;
    const int term = way_ == Way::kTerms ? threadIdx.x % kTermsOfWarp : number / kSize;
    // END SOLUTION
    to_ = shared_address(&tile[0][term][line]);
    terms_left_ = static_cast<int>(lines.terms - first) - term;
#pragma unroll
    for (int i = 0; i < kPointers; ++i) {
      const std::size_t existing = min(begin + line + i * kLinesAtOnce, lines.lines - floats);
      // BEGIN SOLUTION: step 1. from_[i] is where line `existing` has term first + term.
      // UNTIL SOLVED: from_[i] = lines.data, (void)existing;  // replace
      from_[i] = lines.data + existing * lines.from_line_to_line() + (first + term) * from_term_to_term_;
      // END SOLUTION
    }
  }

  // Starts a part of the copies of the next k-tile into `slot`. Terms that do not exist are zeros.
  __device__ void bring(int slot, int part) {
    if (part >= kParts) return;
    switch (way_) {
      // BEGIN SOLUTION: step 1: Way::kTerms and the default, Way::kLines. Call bring_by<kFloats, kLines,
      //     kTerms>() with how many lines and terms all Shape::kThreads threads bring at a time, and how far it is to
      //     the next term. Step 2: Way::kVectors, a vector a thread.
      case Way::kTerms:
        return bring_by<1, kLinesAtOnce, kTermsOfWarp>(slot, part, 1);
      case Way::kVectors:
        return bring_by<kVector, kSize, Shape::kThreads * kVector / kSize>(slot, part, from_term_to_term_);
      default:
        return bring_by<1, kSize, Shape::kThreads / kSize>(slot, part, from_term_to_term_);
        // END SOLUTION
    }
  }
  __device__ void next_k_tile() {
    terms_left_ -= Shape::kTileTerms;
#pragma unroll
    for (int i = 0; i < kPointers; ++i) {
      // BEGIN SOLUTION: step 1. from_[i] goes on by the terms of a k-tile. Where kWay is Way::kTerms, the
      //     compiler knows how far a term is: say 1 there.
      from_[i] += Shape::kTileTerms * (kWay == Way::kTerms ? 1 : from_term_to_term_);
      // END SOLUTION
    }
  }

 private:
  static constexpr int kTermsOfWarp = 8, kLinesAtOnce = Shape::kThreads / kTermsOfWarp;  // where terms lie side by side
  static constexpr int kPointers = kWay == Way::kVectors ? 1 : kSize / kLinesAtOnce;
  static_assert(Shape::kThreads % kSize == 0 && kSize % kLinesAtOnce == 0);

  // Without parts: asking for each part costs more than the parts bring.
  static constexpr int kParts = kWay == Way::kAny ? 1 : Shape::kParts;

  // kFloats: of a copy. kLines, kTerms: how many of them all threads bring at a time.
  template <int kFloats, int kLines, int kTerms>
  __device__ void bring_by(int slot, int part, std::size_t from_term_to_term) {
    int copy = 0;
#pragma unroll
    for (int term = 0; term < Shape::kTileTerms; term += kTerms) {
#pragma unroll
      for (int line = 0; line < kSize; line += kLines) {
        if (copy++ % kParts != part) continue;
        const int place = (slot * Shape::kTileTerms + term) * kWidth + line;  // of the copy, where the first has 0
        // BEGIN SOLUTION: step 1. Call copy_or_zero<bytes>(): from `line` lines and `term` terms behind this
        //     thread's first copy, where there is such a term. The pointer is from_[line / kLines]: for Way::kTerms
        //     there is one for every kLines lines, and in the other ways `line` is always 0.
        //     `place` counts floats, and to_ is an address of shared memory in bytes: add place * sizeof(float).
        // UNTIL SOLVED: (void)place, (void)from_term_to_term;  // replace
        copy_or_zero<kFloats * sizeof(float)>(to_ + place * sizeof(float),
                                              from_[line / kLines] + term * from_term_to_term, term < terms_left_);
        // END SOLUTION
      }
    }
  }

  Way way_;
  const float* from_[kPointers];
  std::size_t from_term_to_term_;
  int to_;          // in the first slot
  int terms_left_;  // from this thread's first copy on; less than none behind the last
};

// TileLoader: brings the k-tiles of both factors. Usual is A by its terms, and B by vectors.
template <class Shape>
using TileLoader = LoaderPair<
    Shape, OperandLoader<Shape, Shape::kHeight, Tiles<Shape>::kWidthOfA, Shape::kAnyLayout ? Way::kAny : Way::kTerms>,
    OperandLoader<Shape, Shape::kWidth, Tiles<Shape>::kWidthOfB, Shape::kAnyLayout ? Way::kAny : Way::kVectors>>;

// The output operator, alpha * sum + beta * source (CUTLASS: LinearCombination). `source`: the element of C before.
struct LinearCombination {
  float alpha, beta;

  static __device__ LinearCombination identity() { return {1.0f, 0.0f}; }
  // BEGIN SOLUTION: step 3. Whether C must be read, and the element. Where beta is 0, C may hold NaN, and 0
  //     times that is NaN. So read *source only where it is needed. The two functions below stand for these two.
  // UNTIL SOLVED: __device__ bool is_source_needed() const { return false; }
  // UNTIL SOLVED: __device__ float operator()(float sum, const float* /*source*/) const { return sum; }
  __device__ bool is_source_needed() const { return beta != 0.0f; }
  __device__ float operator()(float sum, const float* source) const {
    const float product = alpha * sum;
    return beta == 0.0f ? product : product + beta * *source;
  }
  // END SOLUTION
};

template <class Shape>
void launch(const Lines& a, const Lines& b, Matrix c, LinearCombination output, const WorkPartition& work,
            float* partials, cudaStream_t stream) {
  launch_shares<Shape, TileLoader>(a, b, c, output, work, partials, stream);
  launch_adding(c, output, work, partials, stream);
}

// The block is the plan's to choose.
void gemm_on_device(float alpha, Operand a, Operand b, float beta, Matrix c, float* partials, dim3,
                    cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("step 1: write how OperandLoader walks, then delete this line");
  // UNTIL SOLVED: if (a.columns() > 64) WORKBOOK_TODO("step 2: bring vectors where they exist, then delete this line");
  // UNTIL SOLVED: if (alpha != 1 || beta != 0) WORKBOOK_TODO("step 3: write LinearCombination, then delete this line");
  if (c.rows == 0 || c.columns == 0) {
    return;  // a grid without blocks cannot be launched
  }
  Lines of_a = rows_of(a), of_b = columns_of(b);
  // BEGIN SOLUTION: step 3. Where alpha is 0, set the terms of both factors, of_a and of_b, to 0: nothing
  //     of them is read then. And where there are no terms, alpha counts as 0, also if it is infinite or NaN.
  if (alpha == 0.0f) of_a.terms = of_b.terms = 0;
  if (of_a.terms == 0) alpha = 0.0f;
  // END SOLUTION
  const std::size_t terms = of_a.terms;
  const LinearCombination output{alpha, beta};
  const std::size_t sms = multiprocessors();
  const std::size_t room = workbook::partials_size(c.rows, c.columns, terms);
  const Plan medium = plan_for<Medium>(c, terms, room, sms), small = plan_for<Small>(c, terms, room, sms);
  // A block of Medium that has the SM to itself has few warps with its four: two slices make them eight.
  const bool few = !medium.work.is_cut() && medium.work.tiles() <= sms;
  if (of_a.way != Way::kTerms || of_b.way != Way::kVectors) {
    const Plan sliced = plan_for<MediumInSlices>(c, terms, room, sms);
    if (small.cycles < sliced.cycles) {
      launch<Small>(of_a, of_b, c, output, small.work, partials, stream);
    } else {
      launch<MediumInSlices>(of_a, of_b, c, output, sliced.work, partials, stream);
    }
    return;
  }
  const Plan large = plan_for<Large>(c, terms, room, sms), tiny = plan_for<Tiny>(c, terms, room, sms);
  const double least = std::min({large.cycles, medium.cycles, small.cycles, tiny.cycles});
  if (least == large.cycles) {
    launch<Large>(of_a, of_b, c, output, large.work, partials, stream);
  } else if (least == medium.cycles && few) {
    launch<MediumInSlices>(of_a, of_b, c, output, make_partition<MediumInSlices>(c, terms), partials, stream);
  } else if (least == medium.cycles) {
    launch<Medium>(of_a, of_b, c, output, medium.work, partials, stream);
  } else if (least == small.cycles) {
    launch<Small>(of_a, of_b, c, output, small.work, partials, stream);
  } else {
    launch<Tiny>(of_a, of_b, c, output, tiny.work, partials, stream);
  }
}
