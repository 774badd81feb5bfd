// SPDX-License-Identifier: MIT
// Turns an exception into one sentence that names a line of the student's file.
#include "workbook/program/failure.h"

#include <new>

#include "workbook/student/todo.h"

namespace workbook {
namespace {

/// Whether a call returns this error for an earlier kernel. Then the mistake is not in the line of the call.
bool is_of_a_kernel(cudaError_t code) {
  switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

/// A line of the library does not help a student. The sentence names the operation and the last known line of the
/// student's file.
std::string sentence_of(const CudaError& error) {
  const bool is_passed_on = is_of_a_kernel(error.code());
  if (!is_library_file(error.file())) {
    return std::string(error.what()) + (is_passed_on
                                            ? "; a kernel before it failed, and the call only passes that on: a "
                                              "finding of the simulator says where"
                                            : "");
  }
  const std::string code = std::string(cudaGetErrorName(error.code())) + " (" + cudaGetErrorString(error.code()) + ")";
  std::string text =
      std::string(error.call()) + " failed" +
      (is_passed_on ? ", because a kernel before it failed: " + code + ". A finding of the simulator says where"
                    : ": " + code);
  if (const LastCall last = last_call_of_stage(); last.call != nullptr) {
    text += ". The last checked call of the stage: " + place_of(last);
  }
  return text;
}

}  // namespace

std::string place_of(const LastCall& last) {
  return std::string(last.file) + ":" + std::to_string(last.line) + ": " + last.call;
}

Failure current_failure(const std::string& asked) {
  try {
    throw;
  } catch (const Unsolved& unsolved) {
    return {ExitStatus::unsolved, unsolved.what(), ""};
  } catch (const std::bad_alloc&) {
    return {ExitStatus::wrong_usage, asked + ": this machine has no memory left for the input and its copy", ""};
  } catch (const CudaError& error) {
    return {ExitStatus::device_error, sentence_of(error), ""};
  } catch (const std::exception& error) {
    return {ExitStatus::device_error, error.what(), ""};
  } catch (...) {
    return {ExitStatus::device_error, "the stage's function threw something that is no std::exception", ""};
  }
}

}  // namespace workbook
