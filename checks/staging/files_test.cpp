// Every call that fails is named, and the calls after it do nothing.
#include "files.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <functional>
#include <string>

#include "base/error.hpp"

using namespace tenken;
using namespace staging;

namespace {

// Calls that all succeed without a file, but the call named `broken`.
struct Fake : storage::SystemCalls {
  std::string broken{};
  int error = EIO, calls = 0;

  int answer(const char* call, int good) {
    ++calls;
    if (call != broken) return good;
    errno = error;
    return -1;
  }
  int open_at(int, const char*, int, mode_t) override { return answer("open", 3); }
  int make_folder(int, const char*, mode_t) override { return answer("mkdir", 0); }
  int make_link(const char*, int, const char*) override { return answer("symlink", 0); }
  int rename(int, const char*, const char*) override { return answer("rename", 0); }
  int sync(int) override { return answer("fsync", 0); }
  int close(int) override { return answer("close", 0); }
  ssize_t read(int, void*, std::size_t bytes, off_t) override { return answer("read", static_cast<int>(bytes)); }
  ssize_t write(int, const void*, std::size_t bytes, off_t) override {
    return answer("write", static_cast<int>(bytes));
  }
};

TEST_CASE("the first call that fails is named with rank, file and reason, and stops the later calls") {
  using Use = std::function<void(Files&)>;
  std::array<std::byte, 8> data{};
  const std::array<std::pair<const char*, Use>, 9> uses = {{
      {"open", [](Files& files) { files.open_to_read(0, "a"); }},
      {"open", [](Files& files) { files.sync_folder(0, "a"); }},
      {"mkdir", [](Files& files) { files.make_folder(0, "a"); }},
      {"symlink", [](Files& files) { files.make_link(0, "a", "b"); }},
      {"rename", [](Files& files) { files.rename(0, "a", "b"); }},
      {"fsync", [](Files& files) { files.sync(3, "a"); }},
      {"close", [](Files& files) { files.close(3, "a"); }},
      {"read", [&](Files& files) { files.read(3, "a", data.data(), 8, 0); }},
      {"write", [&](Files& files) { files.write(3, "a", data.data(), 8, 0); }},
  }};
  for (const auto& each : uses) {
    const std::string call = each.first;
    const Use& use = each.second;
    Fake system;
    Files files(system, "rank 3 on n0");
    use(files);
    CHECK_NOTHROW(files.require());
    system.broken = call;
    system.error = ENOSPC;
    use(files);
    CAPTURE(call);
    const std::string sentence = "rank 3 on n0, file a: No space left on device (" + call + ")";
    CHECK_THROWS_WITH_AS(files.require(), doctest::Contains(sentence.c_str()), UserError);
    const int before = system.calls;
    system.broken = "";
    files.make_folder(0, "c");
    files.write(3, "c", data.data(), 8, 0);
    CHECK(files.read(3, "c", data.data(), 8, 0) == 0);
    CHECK(files.make(0, "c") == -1);
    CHECK(system.calls == before);
    CHECK_THROWS_WITH_AS(files.require(), doctest::Contains(sentence.c_str()), UserError);
  }
}

}  // namespace
