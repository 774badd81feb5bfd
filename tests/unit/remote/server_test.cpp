// SPDX-License-Identifier: MIT
// What an untrusted process can send: the server executes it by CUDA's rules, or refuses it with a sentence.
#include "remote/server/server.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <numeric>

#include "fake_student.h"
#include "runtime_kernels.h"

namespace {

using remote::Call;
using remote::CopyMessage;
using remote::LaunchMessage;
using remote::Reader;
using remote::RemoteError;
using remote::Writer;

class RemoteServer : public testing::Test {
 protected:
  FakeStudent student;

  cudaError_t error_of(Writer& call) { return Reader(student.exchange(call.take())).take<cudaError_t>(); }

  void* allocate(std::size_t bytes) {
    const auto answer = student.exchange(Writer().put(Call::k_cudaMalloc).put(true).put(bytes).take());
    Reader reader(answer);
    EXPECT_EQ(reader.take<cudaError_t>(), cudaSuccess);
    return reader.take<void*>();
  }
  cudaError_t copy(const CopyMessage& copied) { return error_of(Writer().put(Call::k_copy).put(copied)); }
  cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return copy({to, bytes, from, bytes, bytes, 1, kind, nullptr, false});
  }

  /// Registers the kernels of runtime_kernels.h, as a program of nvcc's does.
  void register_kernels() {
    const auto number = [](const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); };
    const void* const wrapper = runtime_kernels::wrapper();
    EXPECT_EQ(error_of(Writer().put(Call::k_register_module).put(number(wrapper))), cudaSuccess);
    for (std::size_t i = 0; i < runtime_kernels::count; ++i)
      EXPECT_EQ(error_of(Writer()
                             .put(Call::k_register_function)
                             .put(number(wrapper))
                             .put(number(&runtime_kernels::stubs[i]))
                             .put_text(runtime_kernels::names[i])),
                cudaSuccess);
  }
  /// A launch of `fill`: thread t stores `number` at pointer[t].
  cudaError_t launch_fill(void* pointer, std::uint32_t number, std::uint32_t argument_bytes = 12) {
    LaunchMessage launch;
    launch.function = reinterpret_cast<std::uint64_t>(&runtime_kernels::stubs[0]);
    launch.block = {32, 1, 1};
    launch.argument_bytes = argument_bytes;
    std::byte arguments[12];
    std::memcpy(arguments, &pointer, 8);
    std::memcpy(arguments + 8, &number, 4);
    return error_of(Writer().put(Call::k_launch).put(launch).put_bytes(arguments, argument_bytes));
  }
};

TEST_F(RemoteServer, CopiesThereAndBack) {
  std::vector<int> numbers(1000), back(1000);
  std::iota(numbers.begin(), numbers.end(), 7);
  void* const memory = allocate(4000);
  EXPECT_EQ(copy(memory, numbers.data(), 4000, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(copy(back.data(), memory, 4000, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, numbers);
  EXPECT_EQ(student.server.bytes_to_student(), 4000u);
  // By rows: the second half of each of ten rows of 400 bytes.
  std::vector<int> half(500);
  EXPECT_EQ(
      copy({half.data(), 200, static_cast<std::byte*>(memory) + 200, 400, 200, 10, cudaMemcpyDefault, nullptr, true}),
      cudaSuccess);
  for (std::size_t i = 0; i < 500; ++i) ASSERT_EQ(half[i], numbers[100 * (i / 50) + 50 + i % 50]);
}

TEST_F(RemoteServer, CopiesMoreThanTheWindowHolds) {
  const std::size_t bytes = remote::kWindowBytes + 12345;
  std::vector<std::byte> there(bytes), back(bytes);
  for (std::size_t i = 0; i < bytes; ++i) there[i] = static_cast<std::byte>(i * 7 % 251);
  void* const memory = allocate(bytes);
  EXPECT_EQ(copy(memory, there.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(copy(back.data(), memory, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_TRUE(back == there);
}

TEST_F(RemoteServer, RunsAKernelOfTheOtherProcess) {
  register_kernels();
  void* const memory = allocate(128);
  EXPECT_EQ(launch_fill(memory, 42), cudaSuccess);
  std::vector<int> back(32);
  EXPECT_EQ(copy(back.data(), memory, 128, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, std::vector<int>(32, 42));
}

TEST_F(RemoteServer, NamesTakeNoMemoryWithoutEnd) {
  register_kernels();
  const std::string name(60000, 'x');
  const auto wrapper = reinterpret_cast<std::uint64_t>(runtime_kernels::wrapper());
  int taken = 0;
  const auto take_one = [&] {
    error_of(Writer().put(Call::k_register_function).put(wrapper).put(std::uint64_t(1000 + taken)).put_text(name));
  };
  EXPECT_THROW(
      {
        for (; taken < 2000; ++taken) take_one();
      },
      RemoteError);
  EXPECT_GT(taken, 1000);
}

TEST_F(RemoteServer, WhatIsShownStandsForWhatIsMeant) {
  const std::vector<int> shown{1, 2, 3, 4, 5, 6}, meant{10, 20, 30, 40, 50, 60};
  std::vector<int> of_student = shown, back(6);
  void* const memory = allocate(24);
  student.server.let_stand_for(reinterpret_cast<std::uint64_t>(of_student.data()), shown.data(), meant.data(), 24);
  EXPECT_EQ(copy(memory, of_student.data(), 24, cudaMemcpyHostToDevice), cudaSuccess);
  cudaMemcpy(back.data(), memory, 24, cudaMemcpyDeviceToHost);
  EXPECT_EQ(back, meant);
  // A part of it, from its place on.
  EXPECT_EQ(copy(memory, &of_student[4], 8, cudaMemcpyHostToDevice), cudaSuccess);
  cudaMemcpy(back.data(), memory, 24, cudaMemcpyDeviceToHost);
  EXPECT_EQ(back, (std::vector<int>{50, 60, 30, 40, 50, 60}));
  // Other bytes at this address are the program's own.
  of_student[4] = 7;
  EXPECT_EQ(copy(memory, &of_student[4], 8, cudaMemcpyHostToDevice), cudaSuccess);
  cudaMemcpy(back.data(), memory, 24, cudaMemcpyDeviceToHost);
  EXPECT_EQ(back[0], 7);
}

TEST_F(RemoteServer, ACopyOfWhatIsShownStandsForItToo) {
  std::vector<int> shown(8), meant(8), array(8), back(12);
  std::iota(shown.begin(), shown.end(), 1);
  std::iota(meant.begin(), meant.end(), 101);
  array = shown;
  void* const memory = allocate(48);
  const auto on_device = [&](const std::vector<int>& numbers, std::size_t begin, std::size_t count) {
    EXPECT_EQ(copy(memory, numbers.data() + begin, count * 4, cudaMemcpyHostToDevice), cudaSuccess);
    back.resize(count);
    cudaMemcpy(back.data(), memory, count * 4, cudaMemcpyDeviceToHost);
    return back;
  };
  student.server.let_stand_for(reinterpret_cast<std::uint64_t>(array.data()), shown.data(), meant.data(), 32);
  const std::vector<int> longer{1, 2, 3, 4, 5, 6, 7, 8, 0, 0}, other{1, 2, 3, 5, 5, 6, 7, 9};
  EXPECT_EQ(on_device(longer, 0, 10), (std::vector<int>{101, 102, 103, 104, 105, 106, 107, 108, 0, 0}));
  EXPECT_EQ(on_device(longer, 2, 4), (std::vector<int>{103, 104, 105, 106}));  // found by its bytes
  EXPECT_EQ(on_device(longer, 6, 1), std::vector<int>{107});                   // the next piece, however short
  EXPECT_EQ(on_device(longer, 4, 1), std::vector<int>{5});                     // one number may be any
  EXPECT_EQ(on_device(other, 4, 4), (std::vector<int>{5, 6, 7, 9}));
  student.server.stand_for_nothing();
  EXPECT_EQ(on_device(longer, 0, 8), shown);
}

TEST_F(RemoteServer, NoByteOfAPageLockedArrayIsWithTheStudent) {
  std::vector<int> array(6, -1);
  const auto address = reinterpret_cast<std::uint64_t>(array.data());
  EXPECT_EQ(student.server.stand_in_for(address, 24), nullptr);  // it is pageable
  EXPECT_EQ(error_of(Writer().put(Call::k_malloc_host).put(address).put(std::uint64_t{24})), cudaSuccess);
  EXPECT_EQ(student.server.stand_in_for(address, 28), nullptr);  // it is shorter
  auto* const stand_in = static_cast<int*>(student.server.stand_in_for(address, 24));
  ASSERT_NE(stand_in, nullptr);
  EXPECT_EQ(student.server.stand_in_for(address, 24), nullptr);  // one array is not two
  EXPECT_EQ(student.server.address_of(stand_in), address);
  std::iota(stand_in, stand_in + 6, 10);
  student.copies = [](auto...) -> std::uint64_t { throw std::logic_error("the student's memory is asked for"); };
  void* const memory = allocate(24);
  EXPECT_EQ(copy(memory, &array[2], 16, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(copy(array.data(), memory, 16, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(std::vector<int>(stand_in, stand_in + 6), (std::vector<int>{12, 13, 14, 15, 14, 15}));
  EXPECT_EQ(array, std::vector<int>(6, -1));
  // Freed by the student, it is still there for the judging program.
  EXPECT_EQ(error_of(Writer().put(Call::k_free_host).put(address)), cudaSuccess);
  EXPECT_EQ(error_of(Writer().put(Call::k_free_host).put(address)), cudaErrorInvalidValue);
  EXPECT_EQ(stand_in[0], 12);
  student.server.drop_stand_in(stand_in);
  EXPECT_EQ(student.server.address_of(stand_in), 0u);
}

TEST_F(RemoteServer, RefusesMessagesThatNoClientSends) {
  EXPECT_THROW(student.exchange(remote::Body()), RemoteError);
  EXPECT_THROW(student.exchange(Writer().put(Call::k_cudaMalloc).put(true).take()), RemoteError);     // cut off
  EXPECT_THROW(student.exchange(Writer().put(Call::k_cudaGetLastError).put(1).take()), RemoteError);  // too long
  EXPECT_THROW(student.exchange(Writer().put(std::uint32_t{100000}).take()), RemoteError);
  EXPECT_THROW(
      student.exchange(
          Writer().put(Call::k_register_function).put(std::uint64_t{1}).put(std::uint64_t{2}).put_text("f").take()),
      RemoteError);
}

TEST_F(RemoteServer, HandlesAndAddressesMayBeAnything) {
  const auto bad = [](std::uint64_t number) { return reinterpret_cast<void*>(number); };
  for (const std::uint64_t number : {std::uint64_t{8}, std::uint64_t{0x7fff12345678}, ~std::uint64_t{0}}) {
    EXPECT_NE(error_of(Writer().put(Call::k_cudaStreamSynchronize).put(bad(number))), cudaSuccess);
    EXPECT_NE(error_of(Writer().put(Call::k_cudaEventRecord).put(bad(number)).put(bad(0))), cudaSuccess);
    EXPECT_NE(error_of(Writer().put(Call::k_cudaEventDestroy).put(bad(number))), cudaSuccess);
    EXPECT_NE(error_of(Writer().put(Call::k_cudaFree).put(bad(number))), cudaSuccess);
    EXPECT_NE(error_of(Writer().put(Call::k_cudaGraphLaunch).put(bad(number)).put(bad(0))), cudaSuccess);
    EXPECT_NE(error_of(Writer().put(Call::k_cudaGraphDestroy).put(bad(number))), cudaSuccess);
    EXPECT_NE(error_of(Writer().put(Call::k_cudaGraphExecDestroy).put(bad(number))), cudaSuccess);
    EXPECT_NE(error_of(Writer().put(Call::k_cudaMemset).put(bad(number)).put(0).put(std::size_t{64})), cudaSuccess);
    EXPECT_NE(error_of(Writer().put(Call::k_parameter_places).put(number)), cudaSuccess);
    EXPECT_NE(error_of(Writer().put(Call::k_symbol).put(number).put(true).put(true)), cudaSuccess);
    EXPECT_NE(copy(bad(number), "four", 4, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_NE(copy(bad(number), bad(number), 4, cudaMemcpyDeviceToDevice), cudaSuccess);
  }
}

TEST_F(RemoteServer, ExtentsMayBeAnything) {
  void* const memory = allocate(64);
  const std::uint64_t large = std::uint64_t{1} << 40;
  EXPECT_NE(copy({memory, large, "four", large, large, large, cudaMemcpyHostToDevice, nullptr, false}), cudaSuccess);
  EXPECT_NE(copy({memory, 8, "four", 0, 8, large, cudaMemcpyHostToDevice, nullptr, false}), cudaSuccess);
  student.copies = [](remote::Kind, const remote::RowsMessage& rows, std::byte*) { return rows.width * rows.height; };
  EXPECT_NE(copy(memory, "four", 65, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_NE(copy(memory, "four", large, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_NE(copy(memory, "four", ~std::uint64_t{0}, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST_F(RemoteServer, MemoryThatTheOtherProcessCannotReadIsAnError) {
  void* const memory = allocate(64);
  student.copies = [](remote::Kind, const remote::RowsMessage&, std::byte*) { return std::uint64_t{0}; };
  EXPECT_EQ(copy(memory, "four", 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(copy(&student, memory, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_THROW(register_kernels(), RemoteError);
}

TEST_F(RemoteServer, ALaunchHasItsArguments) {
  register_kernels();
  void* const memory = allocate(128);
  EXPECT_THROW(launch_fill(memory, 1, 8), RemoteError);
  LaunchMessage launch;
  launch.function = reinterpret_cast<std::uint64_t>(&runtime_kernels::stubs[0]);
  launch.argument_bytes = ~0u;
  EXPECT_THROW(student.exchange(Writer().put(Call::k_launch).put(launch).take()), RemoteError);
}

TEST_F(RemoteServer, DeviceCodeThatChangesWhileItIsReadIsRefused) {
  int reads = 0;
  const auto honest = student.copies;
  student.copies = [&](remote::Kind kind, const remote::RowsMessage& rows, std::byte* window) {
    const std::uint64_t done = honest(kind, rows, window);
    if (++reads == 3) std::memset(window + 8, 0x7f, 8);  // its size, after the head has been looked at
    return done;
  };
  EXPECT_THROW(register_kernels(), RemoteError);
}

TEST_F(RemoteServer, DeviceCodeThatNobodyHasCompiledIsRefused) {
  const auto* const image = static_cast<const char* const*>(runtime_kernels::wrapper())[1];
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, image + 8, sizeof bytes);
  std::string code(image, 16 + bytes);
  student.server.accept_only("before" + code + "behind");
  register_kernels();
  code.back() ^= 1;
  student.server.accept_only(code);
  EXPECT_THROW(register_kernels(), RemoteError);
  student.server.accept_only("");
  EXPECT_THROW(register_kernels(), RemoteError);
}

TEST(RemoteChannel, TheEndOfTheOtherProcessIsSeen) {
  const remote::Descriptors made = remote::make_channel();
  remote::Channel device(made.device_socket, dup(made.window));
  { const remote::Channel student(made.student_socket, made.window); }
  EXPECT_THROW(device.receive(), RemoteError);
  EXPECT_THROW(device.send(remote::Kind::entry, {}), RemoteError);
  EXPECT_THROW(device.send(remote::Kind::entry, remote::Body(remote::kLargestMessage + 1, 'a')), RemoteError);
}

TEST(RemoteChannel, TheWindowCannotBeCut) {
  const remote::Descriptors made = remote::make_channel();
  EXPECT_NE(ftruncate(made.window, 0), 0);
  for (const int descriptor : {made.device_socket, made.student_socket, made.window}) close(descriptor);
}

}  // namespace
