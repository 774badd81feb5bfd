// SPDX-License-Identifier: MIT
// Runs PTX cases: `ptx_case [--record] [--list] FILE_OR_FOLDER...`. It uses the CUDA runtime and nothing else, so the
// same program runs on a GPU and on the simulator. Cases run in a child process. A case that fails with a CUDA error
// leaves the device unusable for its process, so the next case then gets a new child. Exit status: 0 all cases passed,
// 1 one did not, 2 wrong usage, 77 the toolkit is too old to load PTX through the runtime.
#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "case_file.h"

namespace {

enum class Outcome : char { passed = 'p', failed = 'f', skipped = 's', device_lost = 'l', error_as_expected = 'e' };

struct Options {
  bool is_recording = false;
  bool lists_only = false;
  std::vector<std::string> files;
};

#if CUDART_VERSION >= 12080

/// Device memory that is freed at the end of a case.
class Buffer {
 public:
  explicit Buffer(std::size_t size_bytes) { status_ = cudaMalloc(&pointer_, size_bytes == 0 ? 4 : size_bytes); }
  ~Buffer() { cudaFree(pointer_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  void*& pointer() { return pointer_; }
  cudaError_t status() const { return status_; }

 private:
  void* pointer_ = nullptr;
  cudaError_t status_ = cudaSuccess;
};

dim3 dimensions(const ptx_case::Extent& extent) { return dim3(extent.x, extent.y, extent.z); }

/// Launches the kernel once and copies the output back. `in` and `out` are sized for the case.
cudaError_t launch(const ptx_case::Case& test, cudaKernel_t kernel, const std::vector<unsigned char>& input,
                   std::vector<unsigned char>& output) {
  Buffer in(input.size()), out(output.size());
  if (in.status() != cudaSuccess) return in.status();
  if (out.status() != cudaSuccess) return out.status();
  cudaError_t error = cudaMemcpy(in.pointer(), input.data(), input.size(), cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemset(out.pointer(), ptx_case::poison, output.size());
  std::vector<std::vector<unsigned char>> extra;
  for (const auto& line : test.arguments) extra.push_back(ptx_case::bytes_of({line}));
  std::vector<void*> arguments = {&in.pointer(), &out.pointer()};
  for (auto& bytes : extra) arguments.push_back(bytes.data());
  if (error == cudaSuccess) {
    error = cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dimensions(test.grid), dimensions(test.block),
                             arguments.data(), test.shared_bytes, nullptr);
  }
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) error = cudaMemcpy(output.data(), out.pointer(), output.size(), cudaMemcpyDeviceToHost);
  return error;
}

/// The case's runs, one for each lane mask. Differences go to `messages`.
cudaError_t run_masks(ptx_case::Case& test, cudaKernel_t kernel, bool is_recording,
                      std::vector<std::string>& messages) {
  std::vector<unsigned char> input = ptx_case::bytes_of(test.in);
  std::vector<std::uint32_t> masks = test.masks;
  if (masks.empty()) masks.push_back(~0u);
  for (const std::uint32_t mask : masks) {
    if (!test.masks.empty()) {
      for (unsigned i = 0; i < 4; ++i) input[i] = static_cast<unsigned char>(mask >> (8 * i));
    }
    // A case that must fail has no results, but its kernel may store before it fails.
    std::vector<unsigned char> output(test.expected_error != 0 ? 4096 : test.out_bytes());
    const cudaError_t error = launch(test, kernel, input, output);
    if (error != cudaSuccess) return error;
    if (is_recording) {
      ptx_case::record(test, output, 0);
      return cudaSuccess;
    }
    const auto found = ptx_case::differences(test, output, mask, 10);
    messages.insert(messages.end(), found.begin(), found.end());
  }
  return cudaSuccess;
}

/// 90 for compute capability 9.0; 0 where there is no device.
int compute_capability() {
  int major = 0, minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  return 10 * major + minor;
}

Outcome run_case(const std::string& path, bool is_recording) {
  ptx_case::Case test = ptx_case::read_case(path);
  const int capability = compute_capability();
  if (capability != 0 && capability < test.target) {
    std::printf("skipped  %s (needs sm_%d, this device is sm_%d)\n", path.c_str(), test.target, capability);
    return Outcome::skipped;
  }
  std::vector<std::string> messages;
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  const std::string text = test.ptx();
  cudaError_t error = cudaLibraryLoadData(&library, text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  const char* step = "cudaLibraryLoadData";
  if (error == cudaSuccess) {
    error = cudaLibraryGetKernel(&kernel, library, "test");
    step = "cudaLibraryGetKernel";
  }
  const bool is_loaded = error == cudaSuccess;
  if (is_loaded) {
    error = run_masks(test, kernel, is_recording, messages);
    step = "the launch";
  }
  if (is_loaded && error == cudaSuccess) cudaLibraryUnload(library);

  const bool must_fail = test.expected_error != 0;
  if (is_loaded && must_fail && error != cudaSuccess && is_recording) {
    ptx_case::record(test, {}, static_cast<int>(error));
    test.expected_error = static_cast<int>(error);
  }
  const bool is_right = must_fail ? is_loaded && static_cast<int>(error) == test.expected_error
                                  : error == cudaSuccess && messages.empty();
  if (!is_right && error != cudaSuccess) {
    messages.push_back(path + ": " + step + " failed with error " + std::to_string(static_cast<int>(error)) + " (" +
                       cudaGetErrorString(error) + ")");
  }
  if (!is_right && must_fail)
    messages.push_back(path + ": the launch must fail with error " + std::to_string(test.expected_error));
  for (const auto& message : messages) std::printf("%s\n", message.c_str());
  std::printf("%s %s (%zu forms)\n", is_right ? (is_recording ? "recorded" : "ok      ") : "FAILED  ", path.c_str(),
              test.out.size());
  if (must_fail) return is_right ? Outcome::error_as_expected : Outcome::device_lost;
  return is_right ? Outcome::passed : error == cudaSuccess ? Outcome::failed : Outcome::device_lost;
}

/// Runs cases from `first` on and writes one Outcome for each to `report`, until the device is lost.
void run_child(const Options& options, std::size_t first, int report) {
  for (std::size_t i = first; i < options.files.size(); ++i) {
    Outcome outcome = Outcome::failed;
    try {
      outcome = run_case(options.files[i], options.is_recording);
    } catch (const std::exception& e) {
      std::printf("%s\nFAILED   %s\n", e.what(), options.files[i].c_str());
    }
    std::fflush(stdout);
    const char letter = static_cast<char>(outcome);
    if (write(report, &letter, 1) != 1) std::exit(1);
    if (outcome == Outcome::device_lost || outcome == Outcome::error_as_expected) break;
  }
  std::exit(0);  // not _exit: the simulator writes its report at exit
}

/// Runs every case, in as many children as it takes. Returns the exit status.
int run_all(const Options& options) {
  std::size_t done = 0, failed = 0, skipped = 0;
  while (done < options.files.size()) {
    int ends[2];
    std::fflush(stdout);
    if (pipe(ends) != 0) return 1;
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) {
      close(ends[0]);
      run_child(options, done, ends[1]);
    }
    close(ends[1]);
    bool is_lost = false;
    for (char letter = 0; read(ends[0], &letter, 1) == 1; ++done) {
      const auto outcome = static_cast<Outcome>(letter);
      failed += outcome == Outcome::failed || outcome == Outcome::device_lost;
      skipped += outcome == Outcome::skipped;
      is_lost = outcome == Outcome::device_lost || outcome == Outcome::error_as_expected;
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (done < options.files.size() && !is_lost) {
      std::printf("FAILED   %s: the process ended in the middle of the case (status %d)\n", options.files[done].c_str(),
                  status);
      ++failed;
      ++done;
    }
  }
  std::printf("%zu cases, %zu failed, %zu skipped\n", options.files.size(), failed, skipped);
  if (failed != 0) return 1;
  return skipped == options.files.size() ? 77 : 0;
}

#endif

/// A folder stands for the .ptx files in it and below, in the order of their names.
void add_files(Options& options, const std::string& path) {
  if (!std::filesystem::is_directory(path)) {
    options.files.push_back(path);
    return;
  }
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.path().extension() == ".ptx") found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  options.files.insert(options.files.end(), found.begin(), found.end());
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--record") {
      options.is_recording = true;
    } else if (argument == "--list") {
      options.lists_only = true;
    } else if (argument.compare(0, 1, "-") == 0) {
      std::fprintf(stderr, "ptx_case: unknown option %s\n", argv[i]);
      return 2;
    } else {
      add_files(options, argument);
    }
  }
  if (options.files.empty()) {
    std::fprintf(stderr, "usage: ptx_case [--record] [--list] FILE_OR_FOLDER...   (no case was found)\n");
    return 2;
  }
  if (options.lists_only) {
    try {
      for (const auto& file : options.files) {
        const auto test = ptx_case::read_case(file);
        std::printf("%s: %s (%zu forms)\n", file.c_str(), test.sentence.c_str(), test.out.size());
      }
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s\n", e.what());
      return 1;
    }
    return 0;
  }
#if CUDART_VERSION >= 12080
  return run_all(options);
#else
  std::printf("not run: loading PTX through the CUDA runtime needs a toolkit of version 12.8 or later\n");
  return 77;
#endif
}
