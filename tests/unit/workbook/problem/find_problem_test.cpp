// SPDX-License-Identifier: MIT
// Keys and hits that a search is held to, what its results say, and which cases there are. The functions are the
// host's: they copy, search and copy back.
#include "workbook/problem/searches/find/find_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "workbook/case/device_memory.h"
#include "workbook/program/command_line.h"
#include "workbook/student/gpu_timer.h"

namespace workbook {
namespace {

template <typename T>
std::vector<std::size_t> hits_of(Places places, Wanted wanted, std::size_t n, std::size_t at, std::uint32_t seed = 1) {
  const T x = wanted_key<T>(wanted, seed);
  const std::vector<T> keys = make_keys<T>(places, x, n, at, seed);
  EXPECT_EQ(keys.size(), n);
  std::vector<std::size_t> hits;
  for (std::size_t i = 0; i < n; ++i) {
    if (keys[i] == x) hits.push_back(i);
  }
  return hits;
}

TEST(FindInput, HitsAreWhereTheyAreSaidToBe) {
  using List = std::vector<std::size_t>;
  for (const Wanted wanted : {Wanted::number, Wanted::zero, Wanted::ones}) {
    EXPECT_EQ(hits_of<unsigned>(Places::none, wanted, 1000, 5), List{});
    EXPECT_EQ(hits_of<int>(Places::one, wanted, 1000, 5), List{5});
    EXPECT_EQ(hits_of<int>(Places::one, wanted, 1000, 5000), List{999});
    EXPECT_EQ(hits_of<int>(Places::middle, wanted, 1000, 5), List{500});
    EXPECT_EQ(hits_of<unsigned>(Places::two, wanted, 1000, 5, 3), (List{5, 13}));
    EXPECT_EQ(hits_of<unsigned>(Places::ends, wanted, 1000, 5), (List{5, 999}));
    EXPECT_EQ(hits_of<unsigned>(Places::all, wanted, 1000, 5).size(), 1000u);
    EXPECT_NEAR(static_cast<double>(hits_of<int>(Places::sixteenth, wanted, 160'000, 0).size()), 10'000.0, 500.0);
    EXPECT_NEAR(static_cast<double>(hits_of<int>(Places::runs, wanted, 1'000'000, 0).size()), 500'000.0, 100'000.0);
    EXPECT_EQ(hits_of<int>(Places::all, wanted, 0, 0), List{});
  }
}

TEST(FindInput, FloatsHaveZerosOfBothSignsAndNaNsThatNobodyFinds) {
  const std::vector<float> zeros = make_keys<float>(Places::all, 0.0f, 1000, 0, 1);
  const auto negative = std::count_if(zeros.begin(), zeros.end(), [](float key) { return std::signbit(key); });
  EXPECT_GT(negative, 400);
  EXPECT_LT(negative, 600);
  EXPECT_EQ(hits_of<float>(Places::all, Wanted::zero, 1000, 0).size(), 1000u);
  EXPECT_TRUE(std::isnan(wanted_key<float>(Wanted::ones, 1)));
  EXPECT_TRUE(hits_of<float>(Places::all, Wanted::ones, 1000, 0).empty());
  EXPECT_FALSE(std::isnan(wanted_key<float>(Wanted::number, 1)));
}

TEST(FindInput, EverySecondKeyIsNearlyAHit) {
  const std::vector<unsigned> keys = make_keys<unsigned>(Places::none, 77u, 1000, 0, 1);
  std::size_t near = 0;
  for (const unsigned key : keys) near += __builtin_popcount(key ^ 77u) == 1 ? 1u : 0u;
  EXPECT_GE(near, 500u);
}

TEST(FindJudge, WhatAnIndexSays) {
  EXPECT_TRUE(judge_first(5, 5, 10, true).matches);
  EXPECT_TRUE(judge_first(10, 10, 10, false).matches);
  EXPECT_EQ(judge_first(7, 5, 10, true).reason, "found the hit at 7, which is not the first: that is at 5");
  EXPECT_EQ(
      judge_first(10, 5, 10, false).reason,
      "found none (10), and the key at 5 is one: did no thread look there, or did its index come too late for the "
      "block that stores the result?");
  EXPECT_EQ(judge_first(3, 5, 10, false).reason,
            "found 3, where no hit is; the first hit is at 5, 2 further on: are the keys in front of the first vector "
            "counted?");
  EXPECT_EQ(judge_first(3, 10, 10, false).reason,
            "found 3, where no hit is: there is none, and the result must be n, 10");
  EXPECT_EQ(judge_first(11, 5, 10, false).reason, "found 11, which is no index and not n; the first hit is at 5");
}

TEST(FindJudge, WhatAListSays) {
  const std::vector<unsigned> right{3, 5, 8, 9};
  constexpr unsigned kPoison = 0xA5A5A5A5;
  EXPECT_TRUE(judge_all(right, 4, right, kPoison).matches);
  EXPECT_TRUE(judge_all({3, 5}, 4, right, kPoison).matches);  // there was not more room
  EXPECT_EQ(judge_all(right, 3, right, kPoison).reason, "the count is 3, and there are 4 hits");
  EXPECT_EQ(judge_all(right, 2, {7}, kPoison).reason, "the count is 2, and there is 1 hit");
  EXPECT_EQ(judge_all(right, kPoison, right, kPoison).reason, "the count was never written");
  EXPECT_EQ(judge_all({3, 8, 5, 9}, 4, right, kPoison).reason,
            "the indices are the right ones, but not in order: the first that is out of place is element 1, 8 in place "
            "of 5");
  EXPECT_EQ(judge_all({3, 5, 5, 9}, 4, right, kPoison).reason,
            "of the indices, 1 of 4 elements is wrong; the first is element 2: expected 8, found 5");
  EXPECT_FALSE(judge_all({3, kPoison}, 4, right, kPoison).matches);
  EXPECT_EQ(
      judge_all({3, 8, 9, kPoison}, 4, right, kPoison).reason,
      "of the indices, 3 of 4 elements are wrong; the first is element 1: expected 5, found 8; all from element 1 "
      "on; before place 1 the indices are right; index 8 stands there, and belongs at place 2: is 1 the number "
      "of hits counted before it, and not 2?");
  EXPECT_EQ(judge_all({3, kPoison, kPoison, 5}, 6, right, kPoison).reason,
            "the count is 6, and there are 4 hits; before place 1 the indices are right; index 5 belongs there, and "
            "stands at place 3: is 3 the number of hits counted before it, and not 1?");
  EXPECT_EQ(judge_all({3, 8, 9, kPoison}, 3, right, kPoison).reason,
            "the count is 3, and there are 4 hits; before place 1 the indices are right; index 8 stands there, and "
            "belongs at place 2: is 1 the number of hits counted before it, and not 2?");
}

// A search by the host, with a mistake.
enum class Mistake { none, last, not_put_back, leaves_the_ticket, no_result };
Mistake mistake = Mistake::none;

template <typename T>
void find_by_host(const T* keys, std::size_t n, T x, unsigned, const FindWorkspace& workspace) {
  std::vector<T> copy = n > 0 ? read_back(keys, n, workspace.stream) : std::vector<T>{};
  const auto hit = std::find(copy.begin(), copy.end(), x);
  auto index = static_cast<unsigned long long>(hit - copy.begin());
  if (mistake == Mistake::last && index < n) {
    index = static_cast<unsigned long long>(copy.rend() - std::find(copy.rbegin(), copy.rend(), x)) - 1;
  }
  const auto store = [&](auto* place, auto value) {
    CUDA_CHECK(cudaMemcpyAsync(place, &value, sizeof value, cudaMemcpyHostToDevice, workspace.stream));
  };
  if (mistake == Mistake::not_put_back) store(workspace.first, 7ull);
  if (mistake == Mistake::leaves_the_ticket) store(workspace.ticket, 1u);
  if (mistake != Mistake::no_result) store(workspace.result, index);
}

const FindProblem kFirst(FindFunctions{&find_by_host<unsigned>, &find_by_host<int>, &find_by_host<float>});

Verdict verdict_of(const FindProblem& problem, std::size_t n, Places places, double calls = 1.0) {
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = {n};
  settings.options["hits"] = static_cast<double>(places);
  settings.options["calls"] = calls;
  GpuTimer timer;
  return problem.make_case(settings)->call({settings.block, 0xA5}, timer).verdict;
}

TEST(FindProblem, JudgesASearchAndItsWorkspace) {
  mistake = Mistake::none;
  EXPECT_EQ(verdict_of(kFirst, 1000, Places::sixteenth, 3.0).reason, "");
  EXPECT_EQ(verdict_of(kFirst, 0, Places::none, 2.0).reason, "");
  mistake = Mistake::last;
  EXPECT_NE(verdict_of(kFirst, 1000, Places::sixteenth).reason.find("not the first"), std::string::npos);
  mistake = Mistake::not_put_back;
  EXPECT_NE(verdict_of(kFirst, 1000, Places::none).reason.find("`first` is 7"), std::string::npos);
  mistake = Mistake::leaves_the_ticket;
  EXPECT_NE(verdict_of(kFirst, 1000, Places::none).reason.find("the ticket is 1"), std::string::npos);
  mistake = Mistake::no_result;
  EXPECT_NE(verdict_of(kFirst, 1000, Places::none).reason.find("nobody wrote"), std::string::npos);
  mistake = Mistake::none;
}

// All hits by the host, with the number of calls in the workspace.
unsigned wrong_from_call = 1000;

template <typename T>
void find_all_by_host(const T* keys, std::size_t n, T x, const Hits& hits, unsigned,
                      const FindAllWorkspace& workspace) {
  const auto store = [&](unsigned* place, const unsigned* values, std::size_t count) {
    if (count > 0) {
      CUDA_CHECK(cudaMemcpyAsync(place, values, count * sizeof(unsigned), cudaMemcpyHostToDevice, workspace.stream));
    }
  };
  const unsigned call = read_back(workspace.numbers, workspace.stream) + 1;
  store(workspace.numbers, &call, 1);
  std::vector<T> copy = n > 0 ? read_back(keys, n, workspace.stream) : std::vector<T>{};
  std::vector<unsigned> indices;
  for (std::size_t i = 0; i < n; ++i) {
    if (copy[i] == x) indices.push_back(static_cast<unsigned>(i));
  }
  const auto count = static_cast<unsigned>(indices.size());
  if (call >= wrong_from_call) std::reverse(indices.begin(), indices.end());
  store(hits.indices, indices.data(), std::min(hits.capacity, indices.size()));
  store(hits.count, &count, 1);
  CUDA_CHECK(cudaStreamSynchronize(workspace.stream));
}

const FindProblem kAll(FindAllFunctions{&find_all_by_host<unsigned>, &find_all_by_host<int>, &find_all_by_host<float>});

TEST(FindProblem, TheWorkspaceGoesFromOneSearchToTheNext) {
  EXPECT_EQ(verdict_of(kAll, 1000, Places::sixteenth, 5.0).reason, "");
  EXPECT_EQ(verdict_of(kAll, 0, Places::none).reason, "");
  wrong_from_call = 3;
  const std::string reason = verdict_of(kAll, 1000, Places::sixteenth, 5.0).reason;
  EXPECT_NE(reason.find("not in order"), std::string::npos) << reason;
  EXPECT_NE(reason.find("in search 3 with the same workspace"), std::string::npos) << reason;
  wrong_from_call = 1000;
}

TEST(FindProblem, WorkIsWhatMustBeRead) {
  Settings settings = default_settings(Stage{}, kFirst);
  settings.sizes = {1000};
  const auto read = [&](const FindProblem& problem, Places places, double at) {
    settings.options["hits"] = static_cast<double>(places);
    settings.options["at"] = at;
    return problem.work(settings).bytes_read;
  };
  EXPECT_EQ(read(kFirst, Places::none, 0.0), 4000.0);
  EXPECT_EQ(read(kFirst, Places::one, 0.0), 4.0);
  EXPECT_EQ(read(kFirst, Places::one, 99.0), 400.0);
  EXPECT_EQ(read(kFirst, Places::middle, 0.0), 2004.0);
  EXPECT_EQ(read(kAll, Places::one, 0.0), 4000.0);
  EXPECT_GE(kFirst.rotating_bytes(settings), 4000.0);  // whatever it reads
  settings.options["hits"] = static_cast<double>(Places::all);
  EXPECT_EQ(kAll.work(settings).bytes_written, 4004.0);
}

TEST(FindProblem, CasesHideNothing) {
  for (const FindProblem* problem : {&kFirst, &kAll}) {
    const std::vector<dim3> shapes{{256}, {128}, {64}};
    for (const Purpose purpose : {Purpose::quick, Purpose::hostile, Purpose::full}) {
      std::set<unsigned> blocks;
      std::set<double> places, types, misaligned, wanted, calls;
      for (const Settings& settings : problem->cases(purpose, default_settings(Stage{}, *problem), shapes, true)) {
        blocks.insert(settings.block.x);
        places.insert(settings.options.at("hits"));
        types.insert(settings.options.at("type"));
        misaligned.insert(settings.options.at("misalign"));
        wanted.insert(settings.options.at("wanted"));
        calls.insert(settings.options.at("calls"));
        EXPECT_EQ(settings.options.count("room"), problem == &kAll ? 1u : 0u);
      }
      EXPECT_EQ(blocks.size(), 3u) << name_of(purpose);
      EXPECT_EQ(types.size(), 3u) << name_of(purpose);
      EXPECT_GT(calls.size(), 1u) << name_of(purpose);
      EXPECT_GT(wanted.size(), 1u) << name_of(purpose);
      EXPECT_GT(misaligned.size(), 1u) << name_of(purpose);
      EXPECT_GT(places.size(), purpose == Purpose::quick ? 4u : 5u) << name_of(purpose);
    }
  }
}

}  // namespace
}  // namespace workbook
