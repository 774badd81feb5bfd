// SPDX-License-Identifier: MIT
// What a wrong product comes down to: a mistake with which it can be computed again, number by number.
#pragma once

#include <string>
#include <vector>

#include "workbook/problem/products/matmul/product.h"

namespace workbook {

/// The mistake that explains each wrong element within the bounds, as a clause: "; the last 8 of 40 terms are missing:
/// ...". Empty where none does, where several do, and for products of many terms. Mistakes are terms that are missing
/// or counted twice, factors that are cut and not rounded (Arithmetic::tf32), a scaling that is not applied, A's terms
/// that meet other terms of B, and rows or columns of another place.
std::string known_mistake(const Product& product, const Scaling& scaling, const std::vector<float>& got,
                          Arithmetic arithmetic);

}  // namespace workbook
