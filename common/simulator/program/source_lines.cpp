// SPDX-License-Identifier: MIT
#include "program/source_lines.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "program/program.h"

namespace cudasim {

bool is_toolkit_file(const std::string& path) {
  static constexpr const char* kMarks[] = {"/include/crt/",
                                           "/include/cooperative_groups",
                                           "/include/cub/",
                                           "/include/thrust/",
                                           "/include/cccl/",
                                           "/include/cuda/",
                                           "/include/nv/",
                                           "/targets/x86_64-linux/include/",
                                           "/targets/sbsa-linux/include/",
                                           "/cu12/include/",
                                           "/cu13/include/",
                                           "/include/sm_",
                                           "/include/surface_",
                                           "/include/texture_",
                                           "/include/device_",
                                           "/include/cuda_",
                                           "/include/math_functions"};
  return path.find("/include/") != std::string::npos &&  // as in every mark: most paths are a user's
         std::any_of(std::begin(kMarks), std::end(kMarks),
                     [&](const char* mark) { return path.find(mark) != std::string::npos; });
}

std::string line_text(const Program& program, std::uint32_t counter) {
  const int line = program.source_line(counter).line;
  return line > 0 ? "line " + std::to_string(line) : "PTX line " + std::to_string(program.origins[counter].ptx_line);
}

std::vector<SourceLine> Program::source_chain(std::uint32_t counter) const {
  std::vector<SourceLine> chain;
  // Line 0 means that the compiler knows of no line: the line of the instruction before it counts.
  std::int32_t location = -1;
  for (std::uint32_t c = counter; c > 0 && origins[c].function == origins[counter].function; --c) {
    location = origins[c].location;
    if (location >= 0 && text->locations[static_cast<std::size_t>(location)].line > 0) break;
  }
  for (unsigned depth = 0; location >= 0 && depth < 64; ++depth) {
    const auto& l = text->locations[static_cast<std::size_t>(location)];
    const std::string* file = text->file_name(l.file);
    chain.push_back({file != nullptr ? *file : "", l.line, l.function});
    location = l.inlined_at;
  }
  return chain;
}

SourceLine Program::source_line(std::uint32_t counter) const {
  const auto chain = source_chain(counter);
  for (const auto& line : chain) {
    if (line.line > 0 && !is_toolkit_file(line.file)) return line;
  }
  return chain.empty() ? SourceLine{} : chain.back();
}

const SourceLines& Program::source_lines() const {
  if (source_lines_ == nullptr) {
    SourceLines found;
    std::map<std::pair<std::string, int>, std::uint32_t> numbers;
    found.of_counter.resize(origins.size());
    for (std::uint32_t counter = 1; counter < origins.size(); ++counter) {
      const auto &origin = origins[counter], &before = origins[counter - 1];
      if (counter > 1 && origin.location == before.location && origin.function == before.function) {
        found.of_counter[counter] = found.of_counter[counter - 1];
        continue;
      }
      const SourceLine where = source_line(counter);
      const auto number = static_cast<std::uint32_t>(found.lines.size());
      const auto [known, is_new] = numbers.try_emplace({where.file, where.line}, number);
      if (is_new) found.lines.push_back(known->first);
      found.of_counter[counter] = known->second;
    }
    source_lines_ = std::make_unique<const SourceLines>(std::move(found));
  }
  return *source_lines_;
}

}  // namespace cudasim
