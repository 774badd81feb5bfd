// SPDX-License-Identifier: MIT
// Random kernels on the device that there is, a GPU or the simulator, and their results against recorded ones.
#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "launch.h"

namespace {

using nlohmann::ordered_json;
using namespace random_kernels;

constexpr char usage[] = R"(usage:
  random_kernels [--seeds 1-1600] [--jobs N] [--json FILE] [--compare FILE]
      runs the kernels of these seeds, N processes side by side; writes a digest of each one's results to a file,
      and compares with the digests of such a file
  random_kernels --ptx SEED[:N]  prints the kernel, or its first N statements
  random_kernels --dump SEED[:N] prints what every thread has in its registers at the end
  random_kernels --steps SEED    runs the kernel's first statement, its first two, ... and prints a digest of each:
                                 the first line that differs between two devices has the statement to look at
)";

struct Options {
  std::uint64_t first = 1, last = 1600;
  unsigned jobs = 1;
  std::string json, compare, show;
  std::uint64_t seed = 0;
  unsigned statements = ~0u;  // of the kernel that is shown
};

struct Result {
  std::string text, digest;
};
using Results = std::map<std::uint64_t, Result>;

bool read_options(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) return false;
    const std::string value = argv[i + 1];
    if (name == "--json") {
      options.json = value;
    } else if (name == "--compare") {
      options.compare = value;
    } else if (name == "--jobs") {
      options.jobs = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
    } else if (name == "--seeds") {
      options.first = options.last = std::strtoull(value.c_str(), nullptr, 10);
      const std::size_t dash = value.find('-');
      if (dash != std::string::npos) options.last = std::strtoull(value.c_str() + dash + 1, nullptr, 10);
    } else if (name == "--ptx" || name == "--dump" || name == "--steps") {
      options.show = name;
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
      const std::size_t colon = value.find(':');
      if (colon != std::string::npos)
        options.statements = static_cast<unsigned>(std::strtoul(value.c_str() + colon + 1, nullptr, 10));
    } else {
      return false;
    }
  }
  return options.jobs > 0 && options.first <= options.last;
}

void dump(std::uint64_t seed, unsigned statements) {
  const Kernel kernel = make_kernel(seed, statements);
  const auto shapes = shapes_of(kernel);
  const auto outputs = run(seed, kernel);
  for (std::size_t run = 0; run < outputs.size(); ++run) {
    const Shape& shape = shapes[run];
    const Output& output = outputs[run];
    std::printf("grid %u block %ux%ux%u\n", shape.grid, shape.x, shape.y, shape.z);
    if (!output.error.empty()) {
      std::printf("%s\n", output.error.c_str());
      return;
    }
    const std::size_t threads = shape.threads();
    for (std::size_t thread = 0; thread < threads; ++thread) {
      for (unsigned i = 0; i < Buffers::thread_words; ++i) {
        std::printf("thread %zu %s %08x\n", thread, word_name(i).c_str(),
                    output.words[thread * Buffers::thread_words + i]);
      }
    }
    for (std::size_t i = threads * Buffers::thread_words; i < output.words.size(); ++i)
      std::printf("counter %zu %08x\n", i - threads * Buffers::thread_words, output.words[i]);
  }
}

void print_steps(std::uint64_t seed) {
  const unsigned count = make_kernel(seed).statements;
  for (unsigned i = 0; i <= count; ++i) std::printf("%u %s\n", i, digest(seed, make_kernel(seed, i)).c_str());
}

/// Seeds `from`, `from` + jobs, ...; lines "seed text digest" go to `file`. `at` is the one at work.
void run_seeds(const Options& options, std::uint64_t from, volatile std::uint64_t& at, std::FILE* file) {
  for (std::uint64_t seed = from; seed <= options.last; seed += options.jobs) {
    at = seed;
    const Kernel kernel = make_kernel(seed);
    const std::string result = digest(seed, kernel);
    std::fprintf(file, "%llu %s %s\n", static_cast<unsigned long long>(seed), text_digest(kernel).c_str(),
                 result.c_str());
    std::fflush(file);
    if (result.find(' ') != std::string::npos && result.find("loading") != 0) return;  // the device is lost
  }
}

/// Every `jobs`-th seed. A process that dies, or that lost its device, costs one seed: another one goes on after it.
void run_share(const Options& options, unsigned share, std::FILE* file) {
  void* const shared = mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return;
  auto& at = *static_cast<volatile std::uint64_t*>(shared);
  for (std::uint64_t from = options.first + share; from <= options.last; from = at + options.jobs) {
    at = from;
    const pid_t child = fork();
    if (child == 0) {
      run_seeds(options, from, at, file);
      std::exit(0);  // not _exit: the simulator writes its report at exit
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return;
    if (!WIFSIGNALED(status)) continue;
    std::fprintf(file, "%llu %s the process was ended by signal %d\n", static_cast<unsigned long long>(at),
                 text_digest(make_kernel(at)).c_str(), WTERMSIG(status));
    std::fflush(file);
  }
}

/// Runs all seeds, in processes of their own: loading is what takes time, and it is done by the process.
Results run_all(const Options& options) {
  std::vector<std::FILE*> answers;
  for (unsigned share = 0; share < options.jobs; ++share) {
    int ends[2];
    if (pipe(ends) != 0) break;
    std::fflush(stdout);
    if (fork() == 0) {
      close(ends[0]);
      run_share(options, share, fdopen(ends[1], "w"));
      _exit(0);
    }
    close(ends[1]);
    answers.push_back(fdopen(ends[0], "r"));
  }
  Results results;
  for (std::FILE* answer : answers) {
    char line[400];
    while (std::fgets(line, sizeof line, answer) != nullptr) {
      unsigned long long seed = 0;
      char text[16] = "", rest[300] = "";
      if (std::sscanf(line, "%llu %15s %299[^\n]", &seed, text, rest) == 3) results[seed] = {text, rest};
    }
    std::fclose(answer);
  }
  while (wait(nullptr) > 0) {
  }
  return results;
}

void write_json(const Options& options, const Results& results) {
  cudaDeviceProp properties{};
  cudaGetDeviceProperties(&properties, 0);
  ordered_json json;
  json["device"] = properties.name;
  json["what"] = "seed: digest of the PTX text, digest of the results";
  for (const auto& [seed, result] : results) json["kernels"][std::to_string(seed)] = result.text + " " + result.digest;
  std::ofstream(options.json) << json.dump(0) << "\n";
}

/// Prints what differs. False when something does, or when nothing was compared.
bool compare(const Options& options, const Results& results) {
  const auto recorded = ordered_json::parse(std::ifstream(options.compare));
  const auto device = recorded.at("device").get<std::string>();
  const auto open = recorded.value("open", std::vector<std::uint64_t>());
  std::size_t compared = 0, different = 0, left_open = 0;
  for (const auto& [seed, result] : results) {
    if (std::find(open.begin(), open.end(), seed) != open.end()) {
      ++left_open;
      continue;
    }
    const auto entry = recorded.at("kernels").find(std::to_string(seed));
    if (entry == recorded.at("kernels").end()) continue;
    ++compared;
    if (result.digest == not_run) continue;
    const auto text = entry->get<std::string>();
    if (text == result.text + " " + result.digest) continue;
    ++different;
    const auto number = static_cast<unsigned long long>(seed);
    if (text.compare(0, 8, result.text) != 0) {
      std::printf("seed %llu: the generator writes another kernel than the recorded one; record it again\n", number);
    } else {
      std::printf(
          "seed %llu: %s here, %s on %s\n  look at it: random_kernels --ptx %llu, and on both devices --dump "
          "%llu (registers of each thread) or --steps %llu (the first statement that differs)\n",
          number, result.digest.c_str(), text.substr(9).c_str(), device.c_str(), number, number, number);
    }
  }
  std::printf("%zu kernels compared with %s: %zu differ\n", compared, device.c_str(), different);
  if (left_open != 0) std::printf("%zu more are not compared: the file lists them as open (README.md)\n", left_open);
  return different == 0 && compared > 0 && compared + left_open == options.last - options.first + 1;
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  if (!read_options(argc, argv, options)) {
    std::fputs(usage, stderr);
    return 2;
  }
  if (options.show == "--ptx") {
    std::fputs(make_kernel(options.seed, options.statements).ptx.c_str(), stdout);
    return 0;
  }
  if (CUDART_VERSION < 12080) {
    std::puts("not run: loading PTX through the CUDA runtime needs a toolkit of version 12.8 or later");
    return 77;
  }
  if (options.show == "--dump") return dump(options.seed, options.statements), 0;
  if (options.show == "--steps") return print_steps(options.seed), 0;
  const Results results = run_all(options);
  std::size_t failed = options.last - options.first + 1 - results.size();
  for (const auto& [seed, result] : results) {
    if (result.digest.size() == 16 || result.digest == not_run) continue;
    ++failed;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), result.digest.c_str());
  }
  std::printf("%zu kernels, %zu failed\n", results.size(), failed);
  if (!options.json.empty()) write_json(options, results);
  const bool is_equal = options.compare.empty() || compare(options, results);
  return failed == 0 && is_equal ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "random_kernels: %s\n", e.what());
  return 1;
}
