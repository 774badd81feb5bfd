// SPDX-License-Identifier: MIT
// The common parts of all JSON reports. Only .cpp files include it, because the header of the JSON library is large.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include "workbook/case/stage.h"
#include "workbook/program/command_line.h"

namespace workbook {

using Json = nlohmann::ordered_json;

/// JSON has no word for NaN and the infinities.
inline Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

inline Json stage_fields(const Stage& stage) {
  return Json{{"stage", stage.number}, {"title", stage.title}, {"source", stage.source}};
}

/// A size of one extent becomes a number, so that programs can compute with it.
inline Json size_field(const Sizes& sizes) { return sizes.size() == 1 ? Json(sizes[0]) : Json(text_of(sizes)); }

inline void add_settings(Json& json, const Problem& problem, const Settings& settings) {
  if (problem.has_seed()) json["seed"] = settings.seed;
  json["block_size"] = settings.block.y == 1 ? Json(settings.block.x) : Json(text_of(settings.block));
  for (const Option& option : problem.options()) {
    json[option.name] = text_of(option, settings.options.at(option.name));
  }
}

inline Json work_fields(const Work& work) {
  return Json{{"unit", work.unit},
              {"elements", work.elements},
              {"bytes_read", work.bytes_read},
              {"bytes_written", work.bytes_written},
              {"operations", work.operations}};
}

}  // namespace workbook
