// SPDX-License-Identifier: MIT
// Arrays of the host in pieces: the states, the length of a piece, and what the verdict says. Without rounds a job is a
// copy, which needs no kernel. Beside it, the sums of neighbours.
#include "workbook/problem/streams/pieces/pieces_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "workbook/case/run.h"
#include "workbook/problem/maps/neighbours/neighbours_problem.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

void* pinned(std::size_t bytes) {
  void* memory = nullptr;
  CUDA_CHECK(cudaMallocHost(&memory, bytes));
  return memory;
}
void free_pinned(void* memory) { CUDA_CHECK(cudaFreeHost(memory)); }

void copies_pieces(const Job& job, std::size_t n) {
  for (std::size_t begin = 0; begin < n; begin += job.piece) {
    const std::size_t bytes = std::min(job.piece, n - begin) * sizeof(State);
    State* const memory = job.lanes[0].memory;
    CUDA_CHECK(cudaMemcpyAsync(memory, job.input + begin, bytes, cudaMemcpyHostToDevice, job.stream));
    CUDA_CHECK(cudaMemcpyAsync(job.output + begin, memory, bytes, cudaMemcpyDeviceToHost, job.stream));
  }
}
void copies_all(const Job& job) { copies_pieces(job, job.n); }
void leaves_the_tail(const Job& job) { copies_pieces(job, job.n / job.piece * job.piece); }

Verdict verdict(const PiecesFunctions& functions, std::size_t n, double rounds = 0.0) {
  const PiecesProblem problem(functions);
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = {n};
  settings.options["piece"] = 100.0;
  settings.options["rounds"] = rounds;
  settings.options["calls"] = 2.0;
  return run_case(problem, *problem.make_case(settings), settings, current_device(), {2}).verdict;
}

TEST(PiecesProblem, ManyRoundsAtOnceAreOneAfterTheOther) {
  std::vector<State> states = make_states(100, 7);
  const std::vector<State> after = reference_states(states, 1000);
  for (State& state : states) {
    for (int round = 0; round < 1000; ++round) state = next_state(state);
  }
  EXPECT_EQ(after, states);
}

TEST(PiecesProblem, PiecesGrowAsTheRootOfTheSize) {
  Settings settings = default_settings(Stage{}, PiecesProblem({}));
  settings.sizes = {std::size_t{1} << 20};
  EXPECT_EQ(piece_of(settings), std::size_t{1} << 18);
  settings.sizes = {std::size_t{1} << 26};
  EXPECT_EQ(piece_of(settings), std::size_t{1} << 21);
  settings.sizes = {0};
  EXPECT_EQ(piece_of(settings), 1u);
  settings.options["piece"] = 1000.0;
  EXPECT_EQ(piece_of(settings), 1000u);
}

TEST(PiecesProblem, TheVerdictLooksAtEachPiece) {
  const PiecesFunctions right{&pinned, &free_pinned, &copies_all};
  EXPECT_TRUE(verdict(right, 250).matches);
  EXPECT_FALSE(verdict(right, 250, 1.0).matches);
  const Verdict tail = verdict({&pinned, &free_pinned, &leaves_the_tail}, 250);
  EXPECT_EQ(tail.wrong, 50u);
  EXPECT_NE(tail.reason.find("nobody wrote"), std::string::npos) << tail.reason;
}

TEST(PiecesProblem, PageableMemoryIsRefused) {
  const Verdict pageable = verdict({&std::malloc, &std::free, &copies_all}, 250);
  EXPECT_FALSE(pageable.matches);
  EXPECT_NE(pageable.reason.find("pageable"), std::string::npos) << pageable.reason;
}

TEST(NeighboursProblem, WhatIsNotThereCountsAsZero) {
  const ArrayTask<int> task = neighbours_task(nullptr);
  EXPECT_EQ(task.reference({3, 5, 2}), (std::vector<int>{8, 10, 7}));
  EXPECT_EQ(task.reference({3}), std::vector<int>{3});
}

}  // namespace
}  // namespace workbook
