#include "kernel.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "base/error.hpp"

using fma_peak::Kernel;
using fma_peak::kernel_for;
using fma_peak::Precision;

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define LOOK_AT_MACHINE_CODE 1
#else
#define LOOK_AT_MACHINE_CODE 0
#endif

#if LOOK_AT_MACHINE_CODE
namespace {

// Machine code of the innermost loop of a function of this program, from its disassembly; empty without objdump.
std::string loop_of(const std::string& function) {
  const std::string command = "objdump -d --no-show-raw-insn -C /proc/" + std::to_string(getpid()) + "/exe 2>/dev/null";
  std::FILE* const pipe = popen(command.c_str(), "r");
  std::array<char, 512> line{};
  std::string body;
  bool inside = false;
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    const std::string text = line.data();
    if (text.ends_with(">:\n")) inside = text.find(function + "(") != std::string::npos;
    if (inside) body += text;
  }
  pclose(pipe);
  const auto end = body.find("jne");
  return end == std::string::npos ? "" : body.substr(0, end);
}

int count(const std::string& text, const std::string& word) {
  int n = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

}  // namespace
#endif

TEST_CASE("every kernel that runs here ends at the fixed point, in both precisions") {
  int ran = 0;
  for (const char* isa : {"best", "avx512", "avx2", "sse2", "neon", "scalar"}) {
    for (const Precision precision : {Precision::double_, Precision::single}) {
      try {
        const Kernel kernel = kernel_for(isa, precision);
        CHECK(kernel.run(1000) == 0);
        CHECK(kernel.flop_per_loop > 0);
        ++ran;
      } catch (const tenken::UserError& refusal) {
        CHECK(std::string(refusal.what()).find("variants that run here: best") != std::string::npos);
      }
    }
  }
  CHECK(ran >= 4);
}

TEST_CASE("too few loops do not reach the fixed point: the proof can fail") {
  CHECK(kernel_for("scalar", Precision::double_).run(3) > 0.01);
}

#if LOOK_AT_MACHINE_CODE
TEST_CASE("the peak loop is multiply-adds in registers and nothing else") {
  const std::string loop = loop_of("avx2_double");
  if (loop.empty()) {
    MESSAGE("no objdump here, machine code not looked at");
    return;
  }
  CHECK(count(loop, "vfmadd213pd %ymm15,%ymm14,%ymm") == 48);
  const auto first = loop.find("vfmadd213pd");
  const std::string inner = loop.substr(first);
  CHECK(count(inner, "(%r") == 0);  // no memory operand
  CHECK(count(inner, "mov") == 0);
}
#endif

TEST_CASE("an error that is not a number is not lost") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(fma_peak::greater(nan, 1)));
  CHECK(std::isnan(fma_peak::greater(1, nan)));
  CHECK(fma_peak::greater(1, 2) == 2);
  CHECK(fma_peak::greater(2, 1) == 2);
}
