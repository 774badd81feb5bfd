// SPDX-License-Identifier: MIT
// Device code for runtime_target.cpp: a few kernels in PTX, registered as nvcc's code in a program does it. Each takes
// a pointer and a number; among them are one that never ends and some that go wrong.
#pragma once

#include <cstddef>

namespace runtime_kernels {

constexpr std::size_t count = 7;
extern const char* const names[count];
extern char stubs[count];  ///< their addresses stand for the kernels
extern char symbol;        ///< its address stands for a variable of 256 bytes
extern const char* const ptx;

void* wrapper();  ///< what a program of nvcc's registers
void register_all();

}  // namespace runtime_kernels
