// SPDX-License-Identifier: MIT
#include "workbook/remote/judge/student.h"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>

#include "remote/server/server.h"
#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {
namespace {

using remote::Kind;
using remote::Message;
using remote::Reader;
using remote::RemoteError;

/// Exceptions keep pointers to texts as if these were literals.
const char* kept_text(const std::string& text) {
  static auto* const texts = new std::set<std::string>;
  return texts->insert(text).first->c_str();
}

std::string content_of(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream) throw RemoteError(std::string("the device code of the program cannot be read from ") + file);
  return content;
}

class Student {
 public:
  Student() {
    const char* const given = std::getenv(kStudentVariable);
    if (given == nullptr)
      throw RemoteError(std::string("this program judges another one: name it in ") + kStudentVariable);
    const std::string text = given;
    const remote::Descriptors ends =
        text.rfind(kAtSocket, 0) == 0 ? asked_for(text.substr(std::strlen(kAtSocket))) : started(text);
    channel_ = std::make_unique<remote::Channel>(ends.device_socket, ends.window);
    server_ = std::make_unique<remote::Server>(*channel_);
    if (const char* const file = std::getenv(kDeviceCodeVariable)) server_->accept_only(content_of(file));
  }

  remote::Body call(const std::string& name, const remote::Body& arguments, GpuTimer* timer) {
    try {
      channel_->send(Kind::entry, remote::Writer().put_text(name).put_bytes(arguments.data(), arguments.size()).take());
      return result(timer);
    } catch (const RemoteError& error) {
      throw RemoteError(name + "() has no result: " + error.what() + how_it_ended());
    }
  }

  std::uint64_t make_array(const void* shown, const void* meant, std::size_t bytes) {
    channel_->send(Kind::make_array, remote::Writer().put(static_cast<std::uint64_t>(bytes)).take());
    Message done = channel_->receive();
    while (done.kind == Kind::call) {
      server_->serve(done);
      done = channel_->receive();
    }
    if (done.kind != Kind::done) throw RemoteError("the student's process makes no host memory");
    const auto address = Reader(done.body).take<std::uint64_t>();
    if (!server_->write(address, shown, bytes)) throw RemoteError("the student's process has no such host memory");
    server_->let_stand_for(address, shown, meant, bytes);
    return address;
  }

  remote::Server& server() { return *server_; }

 private:
  /// The ends of the channel to a process that this one starts.
  remote::Descriptors started(const std::string& command) {
    const remote::Descriptors made = remote::make_channel();
    const std::string variable = remote::variable_of(made);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int kept : {made.student_socket, made.window}) posix_spawn_file_actions_adddup2(&actions, kept, kept);
    std::string words[] = {"sh", "-c", command};
    char* const arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    setenv(remote::kVariable, variable.c_str(), 1);
    const int error = posix_spawn(&process_, "/bin/sh", &actions, nullptr, arguments, environ);
    unsetenv(remote::kVariable);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw RemoteError(std::string("the student's process cannot be started: ") + std::strerror(error));
    close(made.student_socket);
    return made;
  }

  /// The ends of the channel to a process that a grader starts behind a wall. The grader listens at this address.
  static remote::Descriptors asked_for(const std::string& address) {
    const int asking = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    const bool fits = address.size() < sizeof at.sun_path;
    if (fits) std::memcpy(at.sun_path, address.data(), address.size());
    char byte = 0;
    iovec part{&byte, 1};
    alignas(cmsghdr) char room[CMSG_SPACE(2 * sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    const bool is_answered = fits && connect(asking, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 &&
                             recvmsg(asking, &message, MSG_CMSG_CLOEXEC) == 1;
    close(asking);
    const cmsghdr* const head = is_answered ? CMSG_FIRSTHDR(&message) : nullptr;
    if (head == nullptr || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(2 * sizeof(int)))
      throw RemoteError("the grader starts no process of the student");
    int descriptors[2];
    std::memcpy(descriptors, CMSG_DATA(head), sizeof descriptors);
    return {descriptors[0], -1, descriptors[1]};
  }

  remote::Body result(GpuTimer* timer) {
    for (;;) {
      Message message = channel_->receive();
      Reader reader(message.body);
      switch (message.kind) {
        case Kind::call:
          server_->serve(message);
          continue;
        case Kind::timer:
          if (timer == nullptr) throw RemoteError("it has no timer");
          reader.take<bool>() ? timer->start() : timer->stop();
          channel_->send(Kind::answer, {});
          continue;
        case Kind::returned:
          return std::move(message.body);
        case Kind::unsolved: {
          const std::string file = reader.take_text();
          const int line = reader.take<int>();
          throw Unsolved(file.c_str(), line, reader.take_text().c_str());
        }
        case Kind::cuda_error: {
          const auto code = reader.take<cudaError_t>();
          const char* const call = kept_text(reader.take_text());
          const char* const file = kept_text(reader.take_text());
          throw CudaError(code, call, file, reader.take<int>());
        }
        case Kind::exception:
          throw std::runtime_error(reader.take_text());
        default:
          throw RemoteError("it sends what is no answer");
      }
    }
  }

  /// Where its process has ended, says how.
  std::string how_it_ended() {
    int status = 0;
    for (int i = 0; i < 100 && process_ > 0; ++i) {
      if (waitpid(process_, &status, WNOHANG) == process_) {
        if (WIFSIGNALED(status)) return std::string(" (") + strsignal(WTERMSIG(status)) + ")";
        return " (exit status " + std::to_string(WEXITSTATUS(status)) + ")";
      }
      usleep(1000);
    }
    return "";
  }

  pid_t process_ = -1;
  std::unique_ptr<remote::Channel> channel_;
  std::unique_ptr<remote::Server> server_;
};

Student& student() {
  static auto* const one = new Student;  // it ends with this process
  return *one;
}

}  // namespace

remote::Body call_function_of_student(const std::string& name, const remote::Body& arguments, GpuTimer* timer) {
  return student().call(name, arguments, timer);
}

std::uint64_t bytes_copied_to_student() { return student().server().bytes_to_student(); }

std::uint64_t host_array_of_student(const void* shown, const void* meant, std::size_t bytes) {
  return student().make_array(shown, meant, bytes);
}

void drop_host_array_of_student() { student().server().stand_for_nothing(); }

void* stand_in_for_student(std::uint64_t address, std::size_t bytes) {
  return student().server().stand_in_for(address, bytes);
}

std::uint64_t address_at_student(const void* stand_in) { return student().server().address_of(stand_in); }

void drop_stand_in(void* stand_in) { student().server().drop_stand_in(stand_in); }

}  // namespace workbook
