// SPDX-License-Identifier: MIT
#include "runtime/base/machine_code.h"

#include <gtest/gtest.h>

#include <cstring>

namespace cudasim {
namespace {

void put(std::string& image, std::size_t place, std::uint64_t value, std::size_t bytes) {
  std::memcpy(&image[place], &value, bytes);
}

/// An ELF file of two sections: their names, and PTX.
std::string with_ptx(const std::string& ptx) {
  const std::string names(".shstrtab\0.nv_debug_ptx_txt\0", 28);
  std::string image = std::string(64, '\0') + names + ptx;
  const std::size_t table = image.size();
  image.resize(table + 2 * 64);
  put(image, 0, kElfMagic, 4);
  put(image, 40, table, 8);
  put(image, 58, 64, 2);
  put(image, 60, 2, 2);
  put(image, table + 24, 64, 8);
  put(image, table + 32, names.size(), 8);
  put(image, table + 64, 10, 4);
  put(image, table + 64 + 24, 64 + names.size(), 8);
  put(image, table + 64 + 32, ptx.size(), 8);
  return image;
}
const std::string kText(".version 9.0\0\0.entry k()\0{\0ret;\0}\0", 34);

TEST(MachineCode, HasThePtxOfItsDebugSection) {
  const std::string image = with_ptx(kText);
  EXPECT_EQ(machine_code_bytes(image), image.size());
  EXPECT_EQ(ptx_of_machine_code(image), ".version 9.0\n\n.entry k()\n{\nret;\n}\n");
}

TEST(MachineCode, DamagedImagesAreRead) {
  const std::string image = with_ptx(kText);
  EXPECT_EQ(machine_code_bytes("text"), 0u);
  for (std::size_t i = 0; i < image.size(); ++i) {
    ptx_of_machine_code(image.substr(0, i));
    std::string changed = image;
    changed[i] = static_cast<char>(~changed[i]);
    ptx_of_machine_code(changed);
  }
}

}  // namespace
}  // namespace cudasim
