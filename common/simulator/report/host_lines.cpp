// SPDX-License-Identifier: MIT
#include "report/host_lines.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "base/command_output.h"
#include "base/demangle.h"
#include "program/source_lines.h"

namespace cudasim {
namespace {

/// A server that makes the calls of another process (common/remote): the line is in that process.
constexpr const char* kRemote = "_ZN6remote6Server";

constexpr int kMostSeconds = 10;  // for addr2line: a program's debug information may be large
constexpr std::size_t kLongestText = 100;

struct Unwinding {
  CallStack stack{};
  std::size_t size = 0;
};

_Unwind_Reason_Code take_frame(_Unwind_Context* context, void* into) {
  auto& unwinding = *static_cast<Unwinding*>(into);
  int is_at_instruction = 0;  // as where a signal came; else the address is that behind a call
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_at_instruction);
  if (address == 0) return _URC_END_OF_STACK;
  unwinding.stack[unwinding.size++] = is_at_instruction != 0 ? address : address - 1;
  return unwinding.size == unwinding.stack.size() ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/// A loaded file, and how far its addresses were moved.
struct Loaded {
  std::string path;
  std::uintptr_t moved_by = 0;
};

bool begins_with(const std::string& text, const char* beginning) { return text.rfind(beginning, 0) == 0; }

/// False for code that is not the user's: this library, and those of the system.
bool find_loaded(std::uintptr_t address, Loaded& loaded) {
  Dl_info info, own;
  link_map* map = nullptr;
  if (dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 ||
      map == nullptr || info.dli_fname == nullptr)
    return false;
  if (dladdr(reinterpret_cast<void*>(&host_line), &own) != 0 && own.dli_fbase == info.dli_fbase &&
      map->l_name[0] != '\0')
    return false;
  loaded.moved_by = map->l_addr;
  loaded.path = map->l_name;
  if (loaded.path.empty()) loaded.path = "/proc/" + std::to_string(getpid()) + "/exe";
  return !begins_with(loaded.path, "/lib") && !begins_with(loaded.path, "/usr/lib") &&
         loaded.path.find("/lib-dynload/") == std::string::npos;  // Python's own modules
}

/// Code of the Python interpreter that is loaded. It runs the user's code, but its own lines are not the user's.
bool is_of_python(std::uintptr_t address) {
  void* python = dlsym(RTLD_DEFAULT, "Py_BytesMain");
  Dl_info info, other;
  return python != nullptr && dladdr(python, &info) != 0 && dladdr(reinterpret_cast<void*>(address), &other) != 0 &&
         info.dli_fbase == other.dli_fbase;
}

/// Pairs of lines: a function, then "FILE:LINE", or "??:0", possibly with more text after it.
void add_frames(const std::string& text, std::vector<SourceLine>& chain) {
  for (std::size_t at = 0; at < text.size();) {
    std::string parts[2];
    for (std::string& part : parts) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      part = text.substr(at, end - at);
      at = std::min(end + 1, text.size());
    }
    const std::size_t colon = parts[1].rfind(':');
    SourceLine frame;
    frame.function = parts[0] == "??" ? "" : parts[0];
    frame.line = colon == std::string::npos ? 0 : std::atoi(parts[1].c_str() + colon + 1);
    if (frame.line > 0) frame.file = std::filesystem::path(parts[1].substr(0, colon)).lexically_normal().string();
    chain.push_back(frame);
  }
}

std::vector<SourceLine> chain_of(const CallStack& stack) {
  std::vector<SourceLine> chain;
  Loaded file;
  std::vector<std::string> words;
  const auto ask = [&] {
    if (!words.empty()) add_frames(output_of(words, Output::standard, kMostSeconds), chain);
    words.clear();
  };
  bool is_called_by_python = false;
  for (const std::uintptr_t address : stack) {
    is_called_by_python = address != 0 && is_of_python(address);
    if (is_called_by_python) break;
    Loaded next;
    if (address == 0 || !find_loaded(address, next)) continue;
    if (next.path != file.path) ask();
    file = next;
    if (words.empty()) words = {"addr2line", "-f", "-i", "-e", file.path};
    char number[24];
    std::snprintf(number, sizeof number, "0x%llx", static_cast<unsigned long long>(address - file.moved_by));
    words.emplace_back(number);
  }
  ask();
  if (is_called_by_python) {  // the functions of modules without -g say nothing to a reader of Python
    chain.erase(std::remove_if(chain.begin(), chain.end(), [](const SourceLine& frame) { return frame.line == 0; }),
                chain.end());
  }
  return chain;
}

bool is_header(const std::string& file) {
  static constexpr const char* kEndings[] = {".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".ipp"};
  const std::string ending = std::filesystem::path(file).extension().string();
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](const char* other) { return ending == other; });
}

/// "reduce" for "_Z6reduceILj8EEvPf", and for "reduce<8>", the name in debug information.
std::string plain_name(const std::string& function) {
  const std::string name = demangle(function);
  const std::string head = name.substr(0, name.find_first_of("<("));
  return head.substr(head.find_last_of(" :") + 1);
}

bool is_stub(const SourceLine& frame) { return frame.function.find("device_stub") != std::string::npos; }

/// In a file of nvcc's own, which it deletes.
bool is_of_nvcc(const SourceLine& frame) { return frame.file.find(".cudafe1.") != std::string::npos; }

/// Code that is not the reader's: the toolkit's, the C++ library's, and nvcc's own around a kernel's launch.
bool is_foreign(const SourceLine& frame, const std::string& kernel) {
  if (is_stub(frame) || (!kernel.empty() && frame.function == kernel)) return true;
  if (frame.line > 0) {
    return is_toolkit_file(frame.file) || frame.file.find("/include/c++/") != std::string::npos ||
           frame.file.find("/cuda_runtime.h") != std::string::npos || is_of_nvcc(frame);
  }
  // The toolkit's templates, which are no calls once they are inlined.
  const std::string name = demangle(frame.function);
  return name.find("cudaMalloc") != std::string::npos || name.find("cudaHostAlloc") != std::string::npos ||
         name.find("cudaLaunch") != std::string::npos || begins_with(name, "_start") || begins_with(name, "std::");
}

/// The line as it is in the file, where the file is still the one that was compiled.
std::string text_of_line(const SourceLine& where) {
  struct stat source, program;
  if (stat(where.file.c_str(), &source) != 0 || stat("/proc/self/exe", &program) != 0) return "";
  if (!S_ISREG(source.st_mode) || source.st_mtime > program.st_mtime) return "";
  std::ifstream file(where.file);
  std::string text;
  for (int line = 0; line < where.line; ++line) {
    if (!std::getline(file, text)) return "";
  }
  const auto is_blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), is_blank));
  while (!text.empty() && is_blank(text.back())) text.pop_back();
  if (text.size() > kLongestText) text = text.substr(0, kLongestText) + "...";
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; }, ' ');
  return text;
}

}  // namespace

CallStack callers() {
  Unwinding unwinding;
  _Unwind_Backtrace(take_frame, &unwinding);
  return unwinding.stack;
}

SourceLine own_line(const std::vector<SourceLine>& chain, Wanted wanted, const std::string& kernel) {
  std::vector<SourceLine> own;
  bool is_in_stub = false;    // The frame before is in a stub: then this may be the kernel, as the host has it.
  bool is_in_kernel = false;  // The frame before is nvcc's around a stub: then this may be the kernel in the source.
  for (const SourceLine& frame : chain) {
    if (begins_with(frame.function, kRemote)) return {};
    const bool may_be_kernel = is_in_stub || (is_in_kernel && !begins_with(frame.function, "_Z"));
    const bool is_kernel = may_be_kernel && plain_name(frame.function) == plain_name(kernel);
    is_in_kernel = is_in_stub && is_of_nvcc(frame);
    is_in_stub = is_stub(frame);
    if (!is_kernel && !is_foreign(frame, kernel)) own.push_back(frame);
  }
  const auto first = [&](auto fits) { return std::find_if(own.begin(), own.end(), fits); };
  auto found = own.end();
  if (wanted == Wanted::caller) {
    found = first([](const SourceLine& frame) { return frame.line > 0 && !is_header(frame.file); });
  }
  if (found == own.end()) found = first([](const SourceLine& frame) { return frame.line > 0; });
  if (found == own.end()) found = first([](const SourceLine& frame) { return !frame.function.empty(); });
  return found == own.end() ? SourceLine{} : *found;
}

HostLine host_line(const CallStack& stack, Wanted wanted, const std::string& kernel) {
  // A program mostly names the same places again and again: known answers are kept.
  static std::map<CallStack, std::vector<SourceLine>>& known = *new std::map<CallStack, std::vector<SourceLine>>;
  const auto [position, is_new] = known.try_emplace(stack);
  if (is_new) position->second = chain_of(stack);
  HostLine line{own_line(position->second, wanted, kernel), ""};
  if (line.where.line > 0) line.text = text_of_line(line.where);
  return line;
}

}  // namespace cudasim
