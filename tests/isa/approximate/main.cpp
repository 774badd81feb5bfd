// SPDX-License-Identifier: MIT
// How far the simulator's approximate instructions are from a GPU's: results of many operands on one device, written to
// a file, against those on another. What was measured is committed, with results of a sample of the operands.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "approximations.h"

namespace {

using nlohmann::ordered_json;
using namespace approximate;
using Bits = std::vector<std::uint64_t>;

constexpr char usage[] = R"(usage:
  approximations --write FILE                    this device's results, of all operands
  approximations --compare FILE [--json FILE]    this device against the results in a file: a line an instruction
  approximations --check JSON                    this device on the recorded sample: no farther away than recorded
)";
constexpr std::size_t sample_size = 32, worst_size = 8;

#if CUDART_VERSION >= 12080

void require(cudaError_t error, const std::string& what) {
  if (error != cudaSuccess) throw std::runtime_error(what + ": " + cudaGetErrorString(error));
}

/// Operands and results are 64-bit words, whatever the format: one kernel text for all.
std::string kernel_text(const Instruction& i) {
  const std::string type = ".b" + std::to_string(i.format.bits);
  auto narrow = [&](const char* to, const char* from) {
    if (i.format.bits == 64) return "  mov.b64 " + std::string(to) + ", " + from + ";\n";
    return "  cvt.u" + std::to_string(i.format.bits) + ".u64 " + to + ", " + from + ";\n";
  };
  std::string text = std::string(".version 8.0\n.target ") + i.target + "\n.address_size 64\n";
  text += ".visible .entry test(.param .u64 in, .param .u64 out)\n{\n  .reg " + type + " %x, %y, %z;\n";
  text += "  .reg .b32 %t, %b, %n;\n  .reg .b64 %in, %out, %at, %a;\n";
  text += "  ld.param.u64 %in, [in];\n  ld.param.u64 %out, [out];\n  cvta.to.global.u64 %in, %in;\n";
  text += "  cvta.to.global.u64 %out, %out;\n  mov.u32 %t, %tid.x;\n  mov.u32 %b, %ctaid.x;\n  mov.u32 %n, %ntid.x;\n";
  text += "  mad.lo.u32 %t, %b, %n, %t;\n  mul.wide.u32 %at, %t, 16;\n  add.u64 %in, %in, %at;\n";
  text += "  mul.wide.u32 %at, %t, 8;\n  add.u64 %out, %out, %at;\n";
  text += "  ld.global.u64 %a, [%in];\n" + narrow("%x", "%a") + "  ld.global.u64 %a, [%in+8];\n" + narrow("%y", "%a");
  text += std::string("  ") + i.opcode + (i.operands == 2 ? " %z, %x, %y;\n" : " %z, %x;\n");
  text += (i.format.bits == 64 ? "  mov.b64 %a, %z;\n" : "  cvt.u64.u" + std::to_string(i.format.bits) + " %a, %z;\n");
  return text + "  st.global.u64 [%out], %a;\n  ret;\n}\n";
}

/// `indices`: of the operands. The count is brought to whole blocks by repeating the first.
Bits compute(const Instruction& instruction, const std::vector<std::size_t>& indices) {
  constexpr unsigned block = 128;
  const std::size_t count = (indices.size() + block - 1) / block * block;
  Bits operands(2 * count), results(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = indices[i < indices.size() ? i : 0];
    operands[2 * i] = operand(instruction, 0, index);
    operands[2 * i + 1] = operand(instruction, 1, index);
  }
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  const std::string text = kernel_text(instruction);
  require(cudaLibraryLoadData(&library, text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), instruction.opcode);
  require(cudaLibraryGetKernel(&kernel, library, "test"), instruction.opcode);
  void *in = nullptr, *out = nullptr;
  require(cudaMalloc(&in, operands.size() * 8), "memory");
  require(cudaMalloc(&out, results.size() * 8), "memory");
  require(cudaMemcpy(in, operands.data(), operands.size() * 8, cudaMemcpyHostToDevice), "copy");
  void* arguments[] = {&in, &out};
  require(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(static_cast<unsigned>(count / block)),
                           dim3(block), arguments, 0, nullptr),
          instruction.opcode);
  require(cudaMemcpy(results.data(), out, results.size() * 8, cudaMemcpyDeviceToHost), instruction.opcode);
  cudaFree(in);
  cudaFree(out);
  cudaLibraryUnload(library);
  results.resize(indices.size());
  return results;
}

#else

Bits compute(const Instruction&, const std::vector<std::size_t>&) { return {}; }

#endif

std::vector<std::size_t> all_indices(const Instruction& instruction) {
  std::vector<std::size_t> indices(operand_count(instruction.format));
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  return indices;
}

/// Whether the manual says how exact the result is: not for huge angles and divisors, and NaN is always NaN.
bool counts(const Instruction& instruction, std::size_t index) {
  const std::uint64_t bits = operand(instruction, instruction.operands - 1, index);
  const double value = number(instruction.format, bits);
  return value <= instruction.largest && value >= -instruction.largest && !is_nan(instruction.format, bits);
}

void write(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  for (const Instruction& instruction : instructions()) {
    const Bits results = compute(instruction, all_indices(instruction));
    file.write(reinterpret_cast<const char*>(results.data()), static_cast<std::streamsize>(results.size() * 8));
  }
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::string hexadecimal(std::uint64_t value, unsigned bits) {
  char text[20];
  std::snprintf(text, sizeof text, "%0*llx", static_cast<int>(bits / 4), static_cast<unsigned long long>(value));
  return text;
}

ordered_json compare_one(const Instruction& instruction, const Bits& expected) {
  const Bits got = compute(instruction, all_indices(instruction));
  std::size_t counted = 0, equal = 0, unlike = 0;
  double absolute = 0;
  std::vector<std::pair<std::uint64_t, std::size_t>> far;  // distance, index
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!counts(instruction, i)) continue;
    const Distance d = distance(instruction.format, expected[i], got[i]);
    ++counted;
    equal += d.ulps == 0 && !d.unlike;
    unlike += d.unlike;
    absolute = std::max(absolute, d.absolute);
    if (d.ulps != 0) far.emplace_back(d.ulps, i);
  }
  std::sort(far.begin(), far.end(), [](const auto& a, const auto& b) { return a > b; });
  ordered_json entry;
  entry["operands"] = counted;
  entry["equal"] = equal;
  entry["largest_ulp"] = far.empty() ? 0 : far.front().first;
  entry["largest_absolute"] = absolute;
  entry["unlike"] = unlike;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < std::min(far.size(), worst_size); ++i) indices.push_back(far[i].second);
  for (std::size_t i = 0; i < sample_size; ++i) indices.push_back(i * (got.size() / sample_size) + 77);
  for (const std::size_t i : indices) {
    if (counts(instruction, i)) entry["sample"][std::to_string(i)] = hexadecimal(expected[i], instruction.format.bits);
  }
  return entry;
}

void compare(const std::string& path, const std::string& json_path) {
  std::ifstream file(path, std::ios::binary);
  ordered_json json;
  json["what"] = "simulator against NVIDIA H200; sample: number of the operand, the GPU's result";
  std::printf("%-22s %9s %9s %14s %12s %7s\n", "instruction", "operands", "equal", "largest ulp", "absolute", "unlike");
  for (const Instruction& instruction : instructions()) {
    Bits expected(operand_count(instruction.format));
    file.read(reinterpret_cast<char*>(expected.data()), static_cast<std::streamsize>(expected.size() * 8));
    if (!file) throw std::runtime_error(path + " is too short: write it again");
    const ordered_json entry = compare_one(instruction, expected);
    std::printf("%-22s %9zu %9zu %14llu %12.3g %7zu\n", instruction.opcode, entry["operands"].get<std::size_t>(),
                entry["equal"].get<std::size_t>(), entry["largest_ulp"].get<unsigned long long>(),
                entry["largest_absolute"].get<double>(), entry["unlike"].get<std::size_t>());
    json["instructions"][instruction.opcode] = entry;
  }
  if (!json_path.empty()) std::ofstream(json_path) << json.dump(1) << "\n";
}

/// False where the device is farther from the recorded results than recorded, or an instruction has none.
bool check(const std::string& path) {
  const auto json = ordered_json::parse(std::ifstream(path));
  std::size_t compared = 0, wrong = 0;
  for (const Instruction& instruction : instructions()) {
    const auto& entry = json.at("instructions").at(instruction.opcode);
    const auto allowed = entry.at("largest_ulp").get<std::uint64_t>();
    std::vector<std::size_t> indices;
    for (const auto& item : entry.at("sample").items()) indices.push_back(std::stoull(item.key()));
    const Bits got = compute(instruction, indices);
    std::size_t i = 0;
    for (const auto& item : entry.at("sample").items()) {
      const std::uint64_t expected = std::stoull(item.value().get<std::string>(), nullptr, 16);
      const Distance d = distance(instruction.format, expected, got[i]);
      ++compared;
      if (d.ulps > allowed || (d.unlike && entry.at("unlike").get<std::size_t>() == 0)) {
        ++wrong;
        const std::uint64_t a = operand(instruction, 0, indices[i]), b = operand(instruction, 1, indices[i]);
        std::printf("%s of %s%s: %s, the H200 gives %s\n", instruction.opcode,
                    hexadecimal(a, instruction.format.bits).c_str(),
                    instruction.operands == 2 ? (" and " + hexadecimal(b, instruction.format.bits)).c_str() : "",
                    hexadecimal(got[i], instruction.format.bits).c_str(),
                    hexadecimal(expected, instruction.format.bits).c_str());
      }
      ++i;
    }
  }
  std::printf("%zu results, %zu farther from an H200's than recorded\n", compared, wrong);
  return wrong == 0 && compared > 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (CUDART_VERSION < 12080) {
    std::puts("not run: loading PTX through the CUDA runtime needs a toolkit of version 12.8 or later");
    return 77;
  }
  const std::string mode = arguments.empty() ? "" : arguments[0];
  if (mode == "--write" && arguments.size() == 2) return write(arguments[1]), 0;
  if (mode == "--compare" && arguments.size() == 2) return compare(arguments[1], ""), 0;
  if (mode == "--compare" && arguments.size() == 4 && arguments[2] == "--json")
    return compare(arguments[1], arguments[3]), 0;
  if (mode == "--check" && arguments.size() == 2) return check(arguments[1]) ? 0 : 1;
  std::fputs(usage, stderr);
  return 2;
} catch (const std::exception& e) {
  std::fprintf(stderr, "approximations: %s\n", e.what());
  return 1;
}
