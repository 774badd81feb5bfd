// SPDX-License-Identifier: MIT
// The shapes and numbers of products that show mistakes.
#include <array>

#include "workbook/case/case_list.h"
#include "workbook/problem/products/matmul/matmul_problem.h"

namespace workbook {
namespace {

using Options = CaseList::Values;

// The cases of a purpose, in order. An option that is not given has its standard value.
class MatmulCases : public CaseList {
 public:
  MatmulCases(const MatmulProblem& problem, const Settings& standard)
      : CaseList(with_standard_options(problem, standard)) {}

  Settings& add(Factors factors, std::size_t m, std::size_t n, std::size_t k, const Options& options = {}) {
    Settings& settings = CaseList::add({m, n, k}, options);
    settings.options["factors"] = static_cast<double>(factors);
    // The pitches of inputs and output differ, so that a mixed-up pitch gives a wrong result.
    const double padding = settings.options["padding"];
    settings.options["output-padding"] = padding == 0.0 ? 0.0 : padding + 4.0;
    return settings;
  }

  // From row `begin` on, each case has another form of GEMM. So 32 cases have all forms: four transpositions of each of
  // these.
  void take_turns(std::size_t begin) {
    constexpr std::array<Scaling, 8> kScalings{{{1.0f, 0.0f},
                                                {1.0f, 1.0f},
                                                {-1.0f, 0.5f},
                                                {2.0f, -1.0f},
                                                {-2.0f, 0.0f},
                                                {0.5f, 2.0f},
                                                {0.0f, -1.0f},
                                                {0.0f, 0.0f}}};
    for (std::size_t i = 0; begin + i < rows().size(); ++i) {
      Options& options = rows()[begin + i].options;
      const Scaling scaling = kScalings[i % kScalings.size()];
      options["transposes"] = static_cast<double>((i + i / kScalings.size()) % 4);
      options["alpha"] = static_cast<double>(scaling.alpha);
      options["beta"] = static_cast<double>(scaling.beta);
    }
  }

 private:
  static Settings with_standard_options(const MatmulProblem& problem, Settings settings) {
    for (const Option& option : problem.options()) settings.options[option.name] = option.standard;
    return settings;
  }
};

constexpr Factors integers = Factors::integers, places = Factors::places, balanced = Factors::balanced;

void add_quick(MatmulCases& cases) {
  cases.add(places, 33, 20, 50);
  cases.add(integers, 40, 72, 37, {{"padding", 3.0}});
  cases.add(integers, 64, 64, 64);
  cases.add(integers, 1, 1, 1);
  cases.add(places, 44, 36, 68, {{"padding", 4.0}});
}

// Nothing, no terms, lines, and both sides of a warp and of a tile. The three extents are never the same.
void add_hostile(MatmulCases& cases) {
  cases.add(integers, 0, 5, 7);
  cases.add(integers, 5, 0, 7);
  cases.add(integers, 5, 7, 0, {{"padding", 1.0}});
  cases.add(integers, 1, 300, 3);
  cases.add(integers, 300, 1, 5);
  cases.add(integers, 3, 2, 500);
  for (const std::size_t extent : Sizes{31, 33, 63, 65, 127, 129, 257}) {
    cases.add(integers, extent, extent + 2, 17, {{"padding", static_cast<double>(extent % 5)}});
    cases.add(integers, 19, extent, extent + 1, {{"misalign", static_cast<double>(extent % 4)}});
    cases.add(places, extent + 3, 23, extent, {{"padding", 4.0}});
  }
  cases.add(Factors::uniform, 50, 70, 60);
  cases.add(balanced, 70, 50, 90, {{"padding", 4.0}});
  cases.add(integers, 132, 140, 36, {{"padding", 4.0}, {"misalign", 1.0}});
  for (const double which : {1.0, 2.0, 3.0})
    cases.add(integers, 128, 136, 40, {{"misalign", 1.0}, {"misaligned", which}});
  cases.add(Factors::identity, 35, 34, 36);
}

/// Terms of a long sum on tensor cores. A tile has as much work for few elements as for many.
constexpr std::size_t kLongSimulated = 5'000;

void add_full(MatmulCases& cases, bool simulated) {
  constexpr double kMostSimulated = 4e6;  // multiply-adds of one case
  constexpr std::size_t kExtents[] = {0, 1, 3, 31, 33, 127, 129, 255, 257, 1000, 1023};
  for (const std::size_t m : kExtents) {
    for (const std::size_t n : kExtents) {
      for (const std::size_t k : kExtents) {
        if (m == n || n == k || m == k) continue;
        const double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
        if (simulated && work > kMostSimulated) continue;
        cases.add(integers, m, n, k,
                  {{"padding", static_cast<double>((m + n) % 6)}, {"misalign", static_cast<double>(k % 4)}});
      }
    }
  }
  cases.add(Factors::uniform, 200, 300, 400);
  cases.add(balanced, 400, 200, 300, {{"padding", 4.0}});
  cases.add(integers, 40, 36, 10'000);
  cases.add(Factors::identity, 129, 127, 131);
  for (std::uint32_t place = 0; place < 5 * 6 * 7; ++place) cases.add(Factors::one_hot, 5, 6, 7).seed = place;
}

// More terms than elements, so that blocks share the terms of an element. Also several calls, where one call finds the
// data of the last.
void add_long(MatmulCases& cases, Purpose purpose, bool simulated) {
  switch (purpose) {
    case Purpose::quick:
      cases.add(integers, 5, 3, 700);
      cases.add(balanced, 33, 70, 550, {{"calls", 2.0}});
      break;
    case Purpose::hostile:
      cases.add(integers, 1, 1, 1100);
      cases.add(integers, 64, 64, 700);
      cases.add(integers, 33, 70, 2100, {{"padding", 1.0}});
      cases.add(integers, 130, 5, 560, {{"padding", 4.0}, {"misalign", 1.0}});
      cases.add(places, 65, 66, 511);
      cases.add(balanced, 34, 90, 350, {{"calls", 2.0}});
      cases.add(integers, 25, 1, 1500);  // Here the workspace, not the device, gives the number of blocks.
      break;
    case Purpose::full:
      cases.add(balanced, 37, 40, 1200, {{"calls", simulated ? 20.0 : 1000.0}});
      cases.add(integers, 2047, 2046, 400);  // Enough work for the largest tiles.
      cases.add(integers, 1152, 1088, 8);    // The next size, without edges.
      cases.add(integers, 1100, 1025, 448);  // Equal shares that are longer than a tile, and end after the last one.
      break;
    case Purpose::lesson:
    case Purpose::bench:
      break;
  }
}

// For forms that exist only with the usual factors, so these cases do not take turns with the others.
void add_for_forms(MatmulCases& cases) {
  // One k-tile more than 20 shares of 8 have, and room for 20 parts. So a share that is rounded down, or to the nearest
  // number, takes more room than there is: in the form for rows of vectors, and in the other one.
  cases.add(integers, 1, 4, 2561);
  cases.add(integers, 1, 1, 2561);
  // An odd number of the smallest tiles, each in several parts. Their addition takes no whole number of blocks. Four
  // columns come after them, by blocks of few threads.
  cases.add(integers, 13, 164, 2000, {{"padding", 4.0}});
  // More tiles than multiprocessors, for a form that small products never use; rows for a seventh of each.
  cases.add(integers, 9, 17'060, 5, {{"padding", 4.0}});
  // On one multiprocessor a share has more k-tiles than a tile: some tiles are cut, and others are not.
  cases.add(integers, 80, 160, 264);
}

// The most difficult numbers for two numbers of 11 bits with a scale for each line.
void add_for_split(MatmulCases& cases, Purpose purpose, bool simulated) {
  switch (purpose) {
    case Purpose::quick:
      cases.add(Factors::halfway, 20, 36, 40);
      cases.add(Factors::scaled, 30, 29, 33);
      break;
    case Purpose::hostile:
      for (const Factors factors :
           {Factors::halfway, Factors::terms, Factors::wide, Factors::extreme, Factors::special}) {
        cases.add(factors, 60, 50, 70);
        cases.add(factors, 37, 41, 600, {{"padding", 1.0}, {"misalign", 1.0}});
        cases.add(factors, 9, 11, 1);
      }
      cases.add(Factors::steep, 20, 24, 1000);
      cases.add(Factors::wide, 30, 40, 2);
      cases.add(Factors::wide, 33, 40, 3);  // An element is one product, so no sum hides how it is rounded.
      cases.add(Factors::wide, 8, 40, 1100);
      break;
    case Purpose::full:
      for (const Factors factors :
           {Factors::halfway, Factors::terms, Factors::wide, Factors::extreme, Factors::special}) {
        cases.add(factors, 130, 270, 500);
        cases.add(factors, 8, 16, simulated ? kLongSimulated : 20'000);
      }
      break;
    case Purpose::lesson:
    case Purpose::bench:
      break;
  }
}

// The most difficult numbers for a format with fewer bits, and for sums on a tensor core. The tiles are large and the
// sums long.
void add_for_tensor_cores(MatmulCases& cases, Purpose purpose, bool simulated) {
  switch (purpose) {
    case Purpose::quick:
      cases.add(Factors::adverse, 20, 36, 40);
      cases.add(Factors::identity, 35, 34, 36);
      cases.add(Factors::uniform, 30, 29, 1);
      break;
    case Purpose::hostile:
      for (const Factors factors : {Factors::scaled, Factors::adverse, Factors::uniform, balanced}) {
        cases.add(factors, 60, 50, 70);
        cases.add(factors, 16, 24, 700, {{"padding", 4.0}});
      }
      cases.add(integers, 150, 260, 67);  // More tiles than one in each direction.
      // A kernel for whole tiles alone must not take these cases. Everything is whole, except one thing.
      cases.add(integers, 130, 256, 64, {{"padding", 4.0}});
      cases.add(integers, 256, 132, 64, {{"padding", 4.0}});
      cases.add(integers, 256, 256, 60, {{"padding", 4.0}});
      cases.add(integers, 256, 256, 64, {{"padding", 4.0}, {"misalign", 1.0}});
      cases.add(integers, 128, 256, 64, {{"padding", 1.0}});
      cases.add(Factors::uniform, 3, 5, 1);
      break;
    case Purpose::full:
      for (const Factors factors : {Factors::scaled, Factors::adverse, Factors::uniform, balanced}) {
        cases.add(factors, 8, 16, simulated ? kLongSimulated : 20'000);
      }
      break;
    case Purpose::lesson:
    case Purpose::bench:
      break;
  }
}

// All transpositions, without alpha and beta. The first cases have few terms. Vectors of four lines are possible in the
// next ones, except in the last two: an address or the number of lines is no multiple of four, though the pitch is.
void add_unscaled(MatmulCases& cases) {
  for (const double transposes : {0.0, 1.0, 2.0, 3.0})
    cases.add(places, 33, 20, 50, {{"transposes", transposes}, {"padding", 3.0}});
  for (const double transposes : {0.0, 1.0, 2.0, 3.0})
    cases.add(places, 36, 40, 68, {{"transposes", transposes}, {"padding", 4.0}});
  cases.add(places, 8, 12, 70, {{"transposes", 1.0}, {"padding", 4.0}, {"misalign", 1.0}});
  cases.add(places, 5, 5, 70, {{"transposes", 1.0}, {"padding", 3.0}});
}

// Scales that are no sums of a few powers of two, so GEMM rounds once more.
void add_scaled(MatmulCases& cases, Purpose purpose) {
  for (const double transposes : {0.0, 1.0, 2.0, 3.0}) {
    const Options options{{"transposes", transposes}, {"alpha", 0.7}, {"beta", -1.3}, {"padding", transposes}};
    cases.add(transposes < 2.0 ? balanced : Factors::uniform, 67, 45, 210, options);
    if (purpose == Purpose::hostile) cases.add(places, 36, 40, 44, {{"transposes", transposes}, {"padding", 4.0}});
  }
  // No terms, and an infinite alpha: C is beta * C.
  if (purpose == Purpose::hostile) cases.add(integers, 36, 40, 0, {{"alpha", 1e39}, {"beta", 0.5}});
}

void add_bench(MatmulCases& cases, bool simulated) {
  for (std::size_t n = 64; n <= (simulated ? 256u : 8192u); n *= 2) cases.add(Factors::uniform, n, n, n);
  if (simulated) return;
  cases.add(Factors::uniform, 1025, 1025, 1025);  // one more than a tile, in every direction
  cases.add(Factors::uniform, 4096, 4096, 64);
  cases.add(Factors::uniform, 64, 64, 65'536);
}

}  // namespace

std::vector<Settings> MatmulProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                           bool simulated) const {
  if (purpose == Purpose::lesson) return {standard};
  MatmulCases cases(*this, standard);
  if (is_gemm() && purpose == Purpose::quick) add_unscaled(cases);
  const std::size_t unscaled = cases.turn();
  switch (purpose) {
    case Purpose::quick:
      add_quick(cases);
      break;
    case Purpose::hostile:
      add_hostile(cases);
      break;
    case Purpose::full:
      add_full(cases, simulated);
      break;
    case Purpose::lesson:
      break;
    case Purpose::bench:
      add_bench(cases, simulated);
      return cases.take();
  }
  if (has_workspace()) {
    add_long(cases, purpose, simulated);
  } else if (purpose == Purpose::hostile) {  // only whole tiles, by two blocks in turn
    for (const std::size_t terms : Sizes{16, 24}) cases.add(integers, 128, 256, terms);
  }
  if (arithmetic_ != Arithmetic::float32) add_for_tensor_cores(cases, purpose, simulated);
  if (arithmetic_ == Arithmetic::split) add_for_split(cases, purpose, simulated);
  if (is_gemm()) {
    cases.take_turns(unscaled);
    if (purpose != Purpose::full) add_scaled(cases, purpose);
  }
  if (purpose == Purpose::quick) {
    cases.use_every_block(shapes);
    return cases.take();
  }
  const bool has_forms = has_workspace() && arithmetic_ == Arithmetic::float32;
  if (has_forms && purpose == Purpose::hostile) add_for_forms(cases);
  cases.use_blocks_in_turn(shapes);
  std::vector<Settings> all = cases.take();
  if (purpose == Purpose::full) all.push_back(standard);
  return all;
}

}  // namespace workbook
