// SPDX-License-Identifier: MIT
#include "workbook/program/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>

namespace workbook {

ExitStatus report(const std::string& text, const std::string& json_text, const JsonTarget& json, ExitStatus status,
                  std::ostream& out, std::ostream& err) {
  if (json.wanted && json.file.empty()) {
    out << json_text;
    return status;
  }
  out << text;
  if (!json.wanted) return status;
  // A reader sees the old file or the whole new one. A link is followed; a device or a pipe is written into, and stays.
  std::error_code unknown;
  const std::filesystem::path target = std::filesystem::weakly_canonical(json.file, unknown);
  const auto kind = std::filesystem::status(target, unknown);
  const bool is_replaced = !std::filesystem::exists(kind) || std::filesystem::is_regular_file(kind);
  const std::string unfinished = is_replaced ? target.string() + ".unfinished" : json.file;
  std::ofstream file(unfinished);
  file << json_text;
  file.close();
  if (file.fail() || (is_replaced && std::rename(unfinished.c_str(), target.c_str()) != 0)) {
    err << "error: cannot write " << json.file << ": " << std::strerror(errno) << "\n";
    if (is_replaced) std::remove(unfinished.c_str());
    return ExitStatus::wrong_usage;
  }
  return status;
}

ExitStatus report_failure(const Stage& stage, const Failure& failure, const JsonTarget& json, std::ostream& out,
                          std::ostream& err) {
  std::string text = text_error(stage, failure.status, failure.message);
  if (!failure.options.empty()) text += "In: " + std::string(stage.source) + ", with " + failure.options + "\n";
  err << text;
  return report("", json_error(stage, failure.status, failure.message, failure.options), json, failure.status, out,
                err);
}

}  // namespace workbook
