// SPDX-License-Identifier: MIT
#include "wall/options.h"

#include <map>
#include <stdexcept>

namespace wall {
namespace {

const std::map<std::string, int> kResources = {
    {"cpu", RLIMIT_CPU},          {"memory", RLIMIT_AS}, {"processes", RLIMIT_NPROC}, {"files", RLIMIT_NOFILE},
    {"file_bytes", RLIMIT_FSIZE}, {"core", RLIMIT_CORE}, {"locked", RLIMIT_MEMLOCK},  {"queues", RLIMIT_MSGQUEUE},
};

unsigned long long number(const std::string& text) {
  std::size_t used = 0;
  unsigned long long value = 0;
  if (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    value = std::stoull(text, &used);
  }
  if (used == 0 || used != text.size()) {
    throw std::runtime_error("'" + text + "' is no number");
  }
  return value;
}

std::pair<int, rlim_t> limit(const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto found = kResources.find(text.substr(0, equals));
  if (equals == std::string::npos || found == kResources.end()) {
    throw std::runtime_error("'" + text + "' is no limit");
  }
  return {found->second, number(text.substr(equals + 1))};
}

}  // namespace

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--") {
      options.command.assign(words + i + 1, words + count);
      break;
    }
    const std::map<std::string, bool*> switches = {{"--supervise", &options.is_supervisor},
                                                   {"--keep-all", &options.keeps_all},
                                                   {"--landlock", &options.has_landlock},
                                                   {"--keep-files", &options.keeps_files},
                                                   {"--filter", &options.has_filter}};
    const std::map<std::string, std::vector<std::string>*> lists = {{"--cgroup", &options.cgroups},
                                                                    {"--read", &options.read},
                                                                    {"--write", &options.write},
                                                                    {"--env", &options.environment}};
    if (switches.count(word) != 0) {
      *switches.at(word) = true;
      continue;
    }
    if (i + 1 == count) {
      throw std::runtime_error("'" + word + "' stands at the end");
    }
    const std::string value = words[++i];
    if (lists.count(word) != 0) {
      lists.at(word)->push_back(value);
    } else if (word == "--status") {
      options.status = static_cast<int>(number(value));
    } else if (word == "--uid") {
      options.uid = static_cast<long>(number(value));
    } else if (word == "--keep") {
      options.descriptors.push_back(static_cast<int>(number(value)));
    } else if (word == "--limit") {
      options.most.push_back(limit(value));
    } else if (word == "--folder") {
      options.folder = value;
    } else {
      throw std::runtime_error("'" + word + "' is not known");
    }
  }
  if (options.command.empty()) {
    throw std::runtime_error("there is no command after --");
  }
  return options;
}

}  // namespace wall
