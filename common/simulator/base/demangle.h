// SPDX-License-Identifier: MIT
// Names as a programmer wrote them.
#pragma once

#include <string>

namespace cudasim {

/// "reduce(float*, int)" for "_Z6reducePfi"; a name that is not mangled comes back unchanged.
std::string demangle(const std::string& name);

/// A library's function without the parts that only its authors need. An example is "cub::BlockReduce::Sum()" for "int
/// cub::CUB_300_SM_75::BlockReduce<int, 64>::Sum(int)". A function in no namespace keeps its parameters:
/// "atomicAdd(double*, double)".
std::string short_name(const std::string& name);

/// The name that a programmer gave to a variable: 'values' for "_ZZ6kernelPfE6values" and for "_ZN5space6valuesE".
/// Other names come back unchanged.
std::string variable_name(const std::string& mangled);

/// The function that a variable is declared in: "draw()" for "_ZZ4drawiE4turn". Empty where it is none of a function.
std::string function_of_variable(const std::string& mangled);

}  // namespace cudasim
