// SPDX-License-Identifier: MIT
// What the JSON of all reports has in common. For .cpp files that make one: the JSON library's header is a large one.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include "workbook/stage.h"

namespace workbook {

using Json = nlohmann::ordered_json;

/// JSON has no word for NaN and the infinities.
inline Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

inline Json stage_fields(const Stage& stage) {
  return Json{{"stage", stage.number}, {"title", stage.title}, {"source", stage.source}};
}

}  // namespace workbook
