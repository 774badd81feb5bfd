// SPDX-License-Identifier: MIT
// The benchmark program, from the command line to the report. Its measurements are in measure.cpp.
#include "workbook/bench/program.h"

#include <algorithm>
#include <iomanip>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "workbook/bench/bench_inputs.h"
#include "workbook/bench/report.h"
#include "workbook/program/program.h"

namespace workbook {
namespace {

// Parses a list like "1024,64x48". Returns an error text, or "".
std::string parse_list(const std::string& text, const Problem& problem, std::vector<Sizes>& list) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    Sizes& sizes = list.emplace_back();
    if (std::string wrong = parse_sizes("--sizes", one, problem, sizes); !wrong.empty()) return wrong;
    if (std::count(sizes.begin(), sizes.end(), 0u) > 0) return "--sizes " + one + " has nothing to time";
    begin = end + 1;
  }
  return "";
}

// Runs the stage's own function at a small size. Returns its failure, if it does not match.
std::optional<Failure> check_stage(const Problem& problem, Settings settings, const Device& device) {
  const std::size_t extents = settings.sizes.size();
  settings.sizes.assign(extents, extents == 1 ? 4097 : 67);
  const RunResult result = run_case(problem, *problem.make_case(settings), settings, device, {1});
  if (result.verdict.matches) return std::nullopt;
  return Failure{ExitStatus::does_not_match, "with " + command_line(problem, settings) + ": " + result.verdict.reason,
                 ""};
}

// Adds a row with the size and the row options of `one`, unless it is there already.
void add_row(const std::vector<Option>& options, const Settings& one, const Sizes& sizes, const TypedOptions& typed,
             BenchOptions& bench) {
  Settings row = bench.settings;
  row.sizes = sizes;
  for (const Option& option : options) {
    if (option.is_row && typed.count(option.name) == 0) row.options[option.name] = one.options.at(option.name);
  }
  const auto is_it = [&row](const Settings& other) { return other.sizes == row.sizes && other.options == row.options; };
  if (std::none_of(bench.rows.begin(), bench.rows.end(), is_it)) bench.rows.push_back(row);
}

// The options that tell a row from others of its size: "--hits one".
std::string which_of(const std::vector<Option>& options, const Settings& row, const std::vector<Settings>& rows) {
  std::string words;
  for (const Option& option : options) {
    const double value = row.options.at(option.name);
    const auto differs = [&](const Settings& other) { return other.options.at(option.name) != value; };
    if (std::none_of(rows.begin(), rows.end(), differs)) continue;
    words += (words.empty() ? "--" : " --") + option.name + " " + text_of(option, value);
  }
  return words;
}

std::string skip_message(double bytes, std::size_t free_bytes) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(0) << "needs " << bytes << " bytes, " << free_bytes << " are free";
  return text.str();
}

// The measurement of one size.
class Measurement {
 public:
  Measurement(const BenchOptions& options, const Problem& problem, const MakeBenchmark& make, const Settings& settings,
              const DeviceFacts& facts)
      : options_(options), problem_(problem), make_(make), settings_(settings), facts_(facts) {
    row_.sizes = settings.sizes;
    row_.which = which_of(problem.options(), settings, options.rows);
    row_.work = problem.work(settings);
    row_.buffers = buffer_count(problem.rotating_bytes(settings), options.check_only ? 0 : facts.l2_bytes);
    row_.is_in_l2 = !options.check_only && row_.work.bytes_read + row_.work.bytes_written > 0 &&
                    static_cast<double>(row_.buffers) * (row_.work.bytes_read + row_.work.bytes_written) <=
                        static_cast<double>(facts.l2_bytes);
  }

  // Sets `peers` to the peers of the benchmark. Without instruments, it only checks.
  SizeResult run(const Instruments* instruments, std::vector<Peer>& peers) {
    const double bytes = needed_bytes(row_.buffers);
    const std::size_t free_bytes = current_device().free_bytes;
    if (bytes > static_cast<double>(free_bytes)) {
      row_.skipped = skip_message(bytes, free_bytes);
      return row_;
    }
    try {
      auto benchmark = make_(settings_, row_.buffers);
      row_.peers = benchmark->peers();
      for (Peer& peer : row_.peers) peer.launch = nullptr;  // they hold references to the benchmark
      if (instruments != nullptr) refuse_other_tuning();
      peers = row_.peers;
      row_.checked = check_results(*benchmark, row_.buffers);
      if (row_.checked.matches && instruments != nullptr) take(std::move(benchmark), *instruments);
    } catch (const CudaError& error) {
      if (error.code() != cudaErrorMemoryAllocation) throw;
      cudaGetLastError();  // otherwise the next launch would report this error
      row_.skipped = skip_message(bytes, free_bytes) + " and some more is needed for partial results";
    }
    return row_;
  }

 private:
  double needed_bytes(std::size_t buffers) const {
    return static_cast<double>(buffers - 1) * problem_.rotating_bytes(settings_) + problem_.device_bytes(settings_);
  }

  // A library that was compiled for another GPU has that GPU's tiles, and takes longer than it needs.
  void refuse_other_tuning() const {
    for (const Peer& peer : row_.peers) {
      if (const std::string why = tuning_problem(peer, facts_.compute_capability); !why.empty()) {
        throw std::invalid_argument(why);
      }
    }
  }

  void take(std::unique_ptr<Benchmark> benchmark, const Instruments& instruments) {
    std::size_t batch = find_batch(*benchmark, row_.buffers, instruments);
    if (row_.checked.in_place) {
      // A sample may use each input only once, so there must be as many inputs as computations, where memory allows.
      if (batch > row_.buffers) {
        benchmark.reset();
        const auto free_bytes = static_cast<double>(current_device().free_bytes);
        while (row_.buffers < batch && needed_bytes(row_.buffers + 2) <= free_bytes) ++row_.buffers;
        benchmark = make_(settings_, row_.buffers);
      }
      batch = std::min(batch, row_.buffers);
    }
    row_.times = take_times(*benchmark, row_.buffers, batch, options_.samples, row_.checked.in_place, instruments);
    row_.samples = options_.samples;
    // The results must still be right after the timing.
    if (const Checked again = check_results(*benchmark, row_.buffers); !again.matches) {
      row_.checked = again;
      row_.checked.reason += " (after it was timed)";
      row_.samples = 0;
    }
  }

  const BenchOptions& options_;
  const Problem& problem_;
  const MakeBenchmark& make_;
  Settings settings_;
  const DeviceFacts& facts_;
  SizeResult row_;
};

std::variant<BenchResult, Failure> run_options(const BenchOptions& options, const Problem& problem,
                                               const MakeBenchmark& make) {
  try {
    BenchResult result;
    result.device = current_device();
    if (result.device.is_simulated && !options.check_only) {
      return Failure{ExitStatus::wrong_usage,
                     "a simulated GPU has no times to compare (" + result.device.name +
                         "); --check-only computes everything once and compares the results",
                     ""};
    }
    if (auto failure = check_stage(problem, options.settings, result.device)) return *failure;
    result.facts = device_facts();
    result.settings = options.settings;
    std::optional<DeviceInstruments> device_instruments;
    Instruments instruments;
    if (!options.check_only) {
      instruments = device_instruments.emplace(result.facts.l2_bytes).instruments();
      result.copy = copy_speed(instruments, current_device().free_bytes);
      result.empty_launch_us = empty_launch_us(instruments);
    }
    for (const Settings& row : options.rows) {
      Measurement measurement(options, problem, make, row, result.facts);
      result.sizes.push_back(measurement.run(options.check_only ? nullptr : &instruments, result.peers));
    }
    return result;
  } catch (const std::invalid_argument& error) {
    return Failure{ExitStatus::wrong_usage, error.what(), ""};
  } catch (...) {
    return current_failure("--sizes");
  }
}

}  // namespace

std::string tuning_problem(const Peer& peer, int compute_capability) {
  if (peer.tuned_for == 0 || peer.tuned_for / 10 == compute_capability / 10) return "";
  const auto shown = [](int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  };
  return peer.name + " was compiled for compute capability " + shown(peer.tuned_for) + ", and this GPU has " +
         shown(compute_capability) +
         ": it would be timed with the tiles of another GPU. `cmake --preset default` on this machine, and a build, "
         "compile it for this one";
}

std::variant<BenchOptions, HelpText, UsageError> parse_bench_options(const Stage& stage, const Problem& problem,
                                                                     int argc, const char* const* argv) {
  BenchOptions options;
  options.settings = default_settings(stage, problem);
  const std::vector<dim3> shapes = block_rule(stage, problem).shapes;
  const std::vector<Settings> bench_cases = problem.cases(Purpose::bench, options.settings, shapes, false);
  std::vector<Sizes> own_sizes;
  for (const Settings& one : bench_cases) {
    if (std::find(own_sizes.begin(), own_sizes.end(), one.sizes) == own_sizes.end()) own_sizes.push_back(one.sizes);
  }
  std::string standard;
  for (const Sizes& sizes : own_sizes) standard += (standard.empty() ? "" : ",") + text_of(sizes);
  std::vector<OptionRow> rows{
      {"sizes", "N,N,...", "one size after another, default " + standard + "; with --check-only the small ones"}};
  for (OptionRow& row : settings_rows(stage, problem)) rows.push_back(std::move(row));
  rows.push_back({"samples", "K", "samples of stage and peer each, default " + std::to_string(options.samples)});
  rows.push_back({"check-only", "", "compute everything once, compare, and time nothing: also on a simulated GPU"});
  rows.push_back({"json", "[FILE]", kJsonHelp});

  const std::string description =
      program_description(stage, "Times the stage's launches beside a library's, on a GPU, and compares both results.");
  auto parsed = parse_command_line(description, rows, argc, argv);
  if (auto* help = std::get_if<HelpText>(&parsed)) return *help;
  if (auto* error = std::get_if<UsageError>(&parsed)) return *error;
  const TypedOptions& typed = std::get<TypedOptions>(parsed);
  options.check_only = typed.count("check-only") > 0;
  options.json = json_target(typed);
  const auto sizes = typed.find("sizes");
  std::string mistake;
  std::vector<Sizes> asked;
  if (sizes != typed.end()) mistake = parse_list(sizes->second, problem, asked);
  if (mistake.empty()) mistake = parse_given(typed, "samples", 1, options.samples);
  if (mistake.empty()) mistake = interpret_settings(stage, problem, typed, options.settings);
  if (!mistake.empty()) return UsageError{mistake};
  const std::vector<Option> own = problem.options();
  const std::vector<Settings> cases = options.check_only && asked.empty()
                                          ? problem.cases(Purpose::quick, options.settings, shapes, false)
                                          : bench_cases;
  for (const Sizes& one_size : asked) {
    for (const Settings& one : cases) add_row(own, one, one_size, typed, options);
  }
  for (const Settings& one : cases) {
    if (asked.empty()) add_row(own, one, one.sizes, typed, options);
  }
  return options;
}

ExitStatus run_bench_program(const Stage& stage, const Problem& problem, const MakeBenchmark& make, int argc,
                             const char* const* argv, std::ostream& out, std::ostream& err) {
  const auto parsed = parse_bench_options(stage, problem, argc, argv);
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    out << help->text;
    return ExitStatus::matches;
  }
  if (const auto* error = std::get_if<UsageError>(&parsed)) {
    err << text_error(stage, ExitStatus::wrong_usage, error->message);
    return ExitStatus::wrong_usage;
  }
  const BenchOptions& options = std::get<BenchOptions>(parsed);
  const auto outcome = run_options(options, problem, make);
  if (const auto* failure = std::get_if<Failure>(&outcome)) {
    return report_failure(stage, *failure, options.json, out, err);
  }
  const BenchResult& result = std::get<BenchResult>(outcome);
  return report(text_bench_report(stage, problem, result), json_bench_report(stage, problem, result), options.json,
                result.matches() ? ExitStatus::matches : ExitStatus::does_not_match, out, err);
}

}  // namespace workbook
