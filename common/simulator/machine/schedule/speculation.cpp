// SPDX-License-Identifier: MIT
#include "machine/schedule/speculation.h"

#include <exception>
#include <memory>
#include <new>
#include <thread>

#include "checkers/init/initialised.h"
#include "checkers/race/race_watch.h"
#include "checkers/race/race_workers.h"
#include "checkers/race/shadow/race_checker.h"
#include "checkers/registry/checks.h"
#include "machine/schedule/block_scheduler.h"

namespace cudasim {

bool may_speculate(const Grid& grid) {
  const Checks& checks = *grid.checks;
  return checks.observers.empty() && grid.program.texture_fetches.empty() && !checks.race->order().active() &&
         (checks.race_workers == nullptr || checks.race_workers->given_up.count(&grid.program) == 0);
}

bool speculate(Grid& grid, unsigned workers, std::vector<Counters>& by_instruction) {
  if (grid.checks->race_workers == nullptr) grid.checks->race_workers = std::make_unique<RaceWorkers>();
  RaceWorkers& all = *grid.checks->race_workers;
  Checks checks;
  checks.watchers = grid.checks->watchers;
  if (grid.checks->init) checks.init = std::make_unique<InitChecker>();  // its first finding ends the speculation
  Grid attempt(grid.program, grid.launch, grid.memory, grid.schedule);
  attempt.checks = &checks;
  attempt.blocks = grid.blocks;
  attempt.warps_per_block = grid.warps_per_block;
  attempt.shared_bytes = grid.shared_bytes;
  attempt.shared_ranges = grid.shared_ranges;
  attempt.resident_blocks = grid.resident_blocks;
  attempt.next_block = grid.next_block.load();
  attempt.blocks_done = grid.blocks_done.load();
  attempt.times_told = grid.times_told.load();
  attempt.steps = grid.steps.load();
  attempt.has_others = attempt.is_speculative = true;

  const auto run = [&attempt](BlockScheduler& worker) {
    try {
      worker.run();
    } catch (...) {  // one worker alone will throw it again
      attempt.give_up();
    }
  };
  all.kept.begin_launch(grid.memory);
  std::vector<const RaceChecker*> checkers{grid.checks->race.get()};
  std::vector<const UndoLog*> undo;
  std::vector<std::unique_ptr<BlockScheduler>> schedulers;
  std::vector<std::thread> threads;
  try {
    while (schedulers.size() < workers) {
      const std::size_t i = schedulers.size();
      if (i == all.workers.size()) all.workers.push_back(std::make_unique<RaceWorkers::Worker>(all.kept));
      RaceWorkers::Worker& worker = *all.workers[i];
      worker.undo.begin_launch();
      const auto watch = std::make_shared<RaceWatch>(attempt, worker.race);
      worker.race.keep_in(worker.undo);
      checkers.push_back(&worker.race);
      undo.push_back(&worker.undo);
      BlockScheduler& scheduler = *schedulers.emplace_back(std::make_unique<BlockScheduler>(attempt, watch));
      if (i != 0) threads.emplace_back([run, &scheduler] { run(scheduler); });
    }
  } catch (const std::exception&) {  // the host gives no more threads, or memory: the existing ones do the work
  }
  if (schedulers.empty()) return false;
  run(*schedulers.front());
  for (auto& thread : threads) thread.join();
  grid.times_told = attempt.times_told.load();

  bool has_failed = true;
  try {
    has_failed = attempt.given_up || RaceChecker::meet(checkers);
  } catch (const std::bad_alloc&) {  // one worker needs less memory
  }
  if (has_failed) {
    for (const UndoLog* log : undo) log->roll_back();
    all.given_up.insert(&grid.program);
    return false;
  }
  for (const auto& scheduler : schedulers) scheduler->add_counters(by_instruction);
  grid.next_block = grid.blocks;
  return true;
}

}  // namespace cudasim
