// SPDX-License-Identifier: MIT
// The layout of a finding: a headline, then one row for each known fact.
#include "report/finding_text.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/demangle.h"
#include "program/source_lines.h"

namespace cudasim {
namespace {

std::string triple(const std::array<std::uint32_t, 3>& index) {
  return "(" + std::to_string(index[0]) + ", " + std::to_string(index[1]) + ", " + std::to_string(index[2]) + ")";
}

/// Files below the current folder are named relative to it, as a compiler names them.
std::string line_of(const SourceLine& where) {
  char here[4096];
  std::string file = std::filesystem::path(where.file).lexically_normal().string();
  if (getcwd(here, sizeof here) != nullptr) {
    const std::string folder = std::string(here) + "/";
    if (file.compare(0, folder.size(), folder) == 0) file.erase(0, folder.size());
  }
  return file + ":" + std::to_string(where.line);
}

std::string row(const char* name, const std::string& text) {
  return std::string("  ") + name + std::string(10 - std::char_traits<char>::length(name), ' ') + text + "\n";
}

/// The part of a chain of inlined calls that a reader can follow. It has the program's functions, and by name the
/// library's functions that they call. The library's inner calls are left out here; the report (JSON) has them.
std::vector<SourceLine> readable_chain(const std::vector<SourceLine>& chain) {
  std::vector<SourceLine> result;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (!is_toolkit_file(chain[i].file)) {
      result.push_back(chain[i]);
    } else if (i + 1 < chain.size() && !is_toolkit_file(chain[i + 1].file)) {
      result.push_back({"", 0, chain[i].function});
    }
  }
  return result;
}

/// "inner() (helper.h:12) into todo.cu:34" for each call that was inlined around the innermost line; nothing for a
/// chain of one.
std::string chain_rows(const Finding& finding) {
  const auto chain = readable_chain(finding.inlined);
  std::string text;
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    const SourceLine &inner = chain[i], &outer = chain[i + 1];
    const std::string name = inner.function.empty() ? "code"
                             : inner.line == 0      ? short_name(inner.function)
                                                    : demangle(inner.function) + " (" + line_of(inner) + ")";
    text +=
        row(i == 0 ? "inlined" : "", name + " into " + (outer.line == 0 ? short_name(outer.function) : line_of(outer)));
  }
  return text;
}

std::string threads_of(const Finding& finding) {
  std::string text = "block " + triple(finding.block) + ", thread " + triple(finding.thread);
  const int lanes = __builtin_popcount(finding.lanes);
  if (lanes > 1) {
    char mask[16];
    std::snprintf(mask, sizeof mask, "0x%08x", static_cast<unsigned>(finding.lanes));
    text += " and " + std::to_string(lanes - 1) + " more of its warp (lanes " + mask + ")";
  }
  return text;
}

const char* access_of(bool is_store, bool is_atomic) {
  return is_atomic ? ": an atomic update" : is_store ? ": a write" : ": a read";
}

/// The other access of a race, or where an uninitialised value came from.
std::string other_rows(const Finding& finding) {
  const OtherAccess& other = *finding.other;
  const bool race = finding.kind == FindingKind::race || finding.kind == FindingKind::lost_update;
  const std::string place = other.where.line > 0 ? line_of(other.where) : "PTX line " + std::to_string(other.ptx_line);
  const bool copy = finding.kind == FindingKind::async_copy;
  if (!race && !copy) return row("from line", place);
  std::string text = row("and line", place + (copy ? ": the copy" : access_of(other.is_store, other.is_atomic)));
  text += row("", "block " + triple(other.block) + ", thread " + triple(other.thread));
  if (!finding.value_before.empty()) text += row("values", finding.value_before + ", then " + finding.value_after);
  return text;
}

/// "lines 15 and 16, 16 and 17, line 17 with itself, and 3 more".
std::string also_rows(const Finding& finding) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, finding.also.size()); ++i) {
    const auto& [one, other] = finding.also[i];
    const int first = std::min(one.line, other.line), second = std::max(one.line, other.line);
    const bool is_near = one.file == other.file && one.file == finding.where.file;
    text += text.empty() ? "the same, of " : ", ";
    if (!is_near) {
      text += line_of(one) + " and " + line_of(other);
    } else if (first == second) {
      text += "line " + std::to_string(first) + " with itself";
    } else {
      text += "lines " + std::to_string(first) + " and " + std::to_string(second);
    }
  }
  const std::size_t left = finding.also.size() - std::min(kMost, finding.also.size());
  return text.empty() ? "" : row("also", text + (left != 0 ? ", and " + std::to_string(left) + " more" : ""));
}

}  // namespace

std::string host_place(const HostLine& line) {
  if (line.where.line > 0) return line_of(line.where) + (line.text.empty() ? "" : ": " + line.text);
  if (line.where.function.empty()) return "";
  std::string name = demangle(line.where.function);
  if (name.find('(') == std::string::npos) name += "()";
  return "in " + name + " (compile with -g to see the line)";
}

HostLine host_line_of(const Finding& finding) {
  const bool is_access = finding.kind == FindingKind::host_crash || finding.kind == FindingKind::host_access;
  const Wanted wanted = is_access ? Wanted::innermost : Wanted::caller;
  return finding.callers[0] == 0 ? HostLine{}
                                 : host_line(finding.callers, wanted, is_of_host(finding.kind) ? finding.kernel : "");
}

HostLine other_call_of(const Finding& finding) {
  return finding.other_call[0] == 0
             ? HostLine{}
             : host_line(finding.other_call, Wanted::caller, is_of_host(finding.kind) ? finding.kernel : "");
}

std::string place_of(const Finding& finding) {
  if (finding.where.line > 0) return line_of(finding.where);
  return "PTX line " + std::to_string(finding.ptx_line) + " (compile with -lineinfo to see the source line)";
}

std::string text_of(const Finding& finding) {
  const char* severity = finding.severity == Severity::warning  ? "warning"
                         : finding.severity == Severity::remark ? "remark"
                                                                : "error";
  std::string text =
      std::string("cudasim: ") + severity + ": " + finding.message + " [" + name_of(finding.kind) + "]\n";
  if (!finding.kernel.empty()) text += row("kernel", demangle(finding.kernel));
  const std::string host = host_place(host_line_of(finding));
  if (is_of_host(finding.kind)) {
    if (!host.empty()) text += row("line", host);
  } else if (!finding.kernel.empty()) {
    const bool pair = finding.kind == FindingKind::race || finding.kind == FindingKind::async_copy ||
                      finding.kind == FindingKind::lost_update;
    text += row("line", place_of(finding) + (pair ? access_of(finding.is_store, finding.is_atomic) : ""));
    text += chain_rows(finding);
    text += row("where", threads_of(finding));
  } else if (finding.where.line > 0) {
    text += row("line", line_of(finding.where));
  }
  if (finding.other) text += other_rows(finding);
  text += also_rows(finding);
  if (const std::string call = host_place(other_call_of(finding)); !call.empty()) text += row("and line", call);
  if (!finding.allocation.empty()) text += row("memory", finding.allocation);
  if (!is_of_host(finding.kind) && !host.empty()) text += row("allocated", host);
  if (finding.occurrences > 1) text += row("seen", std::to_string(finding.occurrences) + " times in this launch");
  if (finding.follows) {
    const Cause& cause = *finding.follows;
    const std::string place = cause.where.line > 0  ? " at " + line_of(cause.where)
                              : cause.ptx_line != 0 ? " at PTX line " + std::to_string(cause.ptx_line)
                                                    : "";
    text += row("follows",
                std::string("perhaps from the finding [") + name_of(cause.kind) + "]" + place + ": mend that first");
  }
  if (!finding.advice.empty()) text += row("advice", finding.advice);
  if (!finding.replay.empty()) text += row("replay", finding.replay);
  return text;
}

}  // namespace cudasim
