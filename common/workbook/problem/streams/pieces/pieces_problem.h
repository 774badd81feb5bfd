// SPDX-License-Identifier: MIT
// An array of the host that is processed on the device in pieces, as a problem. The arithmetic is exact.
#pragma once

#include <vector>

#include "workbook/case/problem.h"
#include "workbook/student/pieces.h"

namespace workbook {

/// What a stage defines: `process`, or both functions of a graph.
struct PiecesFunctions {
  void* (*allocate)(std::size_t bytes) = nullptr;
  void (*release)(void* memory) = nullptr;
  void (*process)(const Job& job) = nullptr;
  cudaGraphExec_t (*make)(const Job& job) = nullptr;
  void (*launch)(cudaGraphExec_t graph, cudaStream_t stream) = nullptr;
};

/// Host memory that the stage allocates, and whether it is page-locked.
class StageArray {
 public:
  StageArray(const PiecesFunctions& functions, std::size_t n);
  StageArray(const StageArray&) = delete;
  StageArray& operator=(const StageArray&) = delete;
  ~StageArray();
  State* data() const { return data_; }
  bool is_pinned() const;

 private:
  const PiecesFunctions& functions_;
  State* data_ = nullptr;
};

/// The streams and the events of a job. The destructor waits for the device.
class Lanes {
 public:
  explicit Lanes(cudaStream_t stream);
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;
  ~Lanes();
  Job& job() { return job_; }

 private:
  Job job_;
};

/// The stage's work, one time or many times. A graph is made at the first call.
class Processing {
 public:
  explicit Processing(const PiecesFunctions& functions) : functions_(functions) {}
  Processing(const Processing&) = delete;
  Processing& operator=(const Processing&) = delete;
  ~Processing();
  /// Before launch(). It does nothing where the stage makes no graph.
  void make(const Job& job);
  void launch(const Job& job);

 private:
  const PiecesFunctions& functions_;
  cudaGraphExec_t graph_ = nullptr;
};

/// The states of a piece: --piece, or without it what suits n. P pieces cost P times what a copy costs before its first
/// byte, and at both ends 1 / P of the copies has nothing beside it. The sum is smallest where P grows as the root of
/// n. An H200 wants sqrt(n) / 256 pieces.
std::size_t piece_of(const Settings& settings);

/// n states, one after the other from a generator, so each one tells its place.
std::vector<State> make_states(std::size_t n, std::uint32_t seed);
/// `rounds` rounds at once, for each state.
std::vector<State> reference_states(std::vector<State> states, unsigned rounds);

class PiecesProblem final : public Problem {
 public:
  explicit PiecesProblem(const PiecesFunctions& functions) : functions_(functions) {}

  const PiecesFunctions& functions() const { return functions_; }

  std::string name() const override { return "pieces"; }
  std::string help() const override {
    return "Processes an array of the host on the device, in pieces, and compares with the CPU.";
  }
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  BlockRule block_rule() const override { return powers_of_two(32, 1024, 256); }
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override;
  double rotating_bytes(const Settings& /*settings*/) const override {
    return 0.0;
  }  // no cache holds the host's memory
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  PiecesFunctions functions_;
};

}  // namespace workbook
