#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/json.hpp"
#include "base/random.hpp"

using namespace tenken;

TEST_CASE("json escapes text and names what is not finite") {
  Json json;
  json.begin_object()
      .field("a\"b", "line\n\x01")
      .field("nan", std::nan(""))
      .field("low", -std::numeric_limits<double>::infinity());
  json.key("list").begin_array().value(1).value(2.5).value(true).null().end_array().end_object();
  CHECK(json.text() == R"({"a\"b":"line\u000a\u0001","nan":"nan","low":"-inf","list":[1,2.5,true,null]})");
}

TEST_CASE("json numbers read back the same") {
  for (const double x : {0.1, 1e300, -3.0, 1.0 / 3.0}) CHECK(std::stod(Json().value(x).text()) == x);
}

TEST_CASE("random numbers depend on seed, stream and counter alone, and are uniform and normal") {
  const RandomStream stream(7, 3);
  CHECK(stream.bits(5) == RandomStream(7, 3).bits(5));
  CHECK(stream.bits(5) != RandomStream(8, 3).bits(5));
  CHECK(stream.bits(5) != RandomStream(7, 4).bits(5));
  constexpr int n = 100000;
  double sum = 0, squares = 0, normal_sum = 0, normal_squares = 0;
  for (int i = 0; i < n; ++i) {
    const double u = stream.uniform(static_cast<std::uint64_t>(i));
    const double z = stream.normal(static_cast<std::uint64_t>(i));
    REQUIRE((u >= 0 && u < 1));
    sum += u;
    squares += u * u;
    normal_sum += z;
    normal_squares += z * z;
  }
  // Five standard errors.
  CHECK(std::abs(sum / n - 0.5) < 5 * std::sqrt(1.0 / 12 / n));
  CHECK(std::abs(squares / n - 1.0 / 3) < 5 * std::sqrt(4.0 / 45 / n));
  CHECK(std::abs(normal_sum / n) < 5 / std::sqrt(n));
  CHECK(std::abs(normal_squares / n - 1) < 5 * std::sqrt(2.0 / n));
}

TEST_CASE("buffers are zero, aligned and writable with every page size") {
  for (const Pages pages : {Pages::base, Pages::huge, Pages::any}) {
    Buffer<double> buffer(1000, pages, "a test");
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % (2 << 20) == 0);
    CHECK(buffer[999] == 0);
    buffer[999] = 1;
    CHECK(buffer[999] == 1);
    if (pages == Pages::base) CHECK(buffer.huge_bytes() == 0);
  }
}

TEST_CASE("too much memory is one sentence with both sizes") {
  try {
    Buffer<double> buffer(std::size_t{1} << 50, Pages::any, "the test array");
    FAIL("memory was granted");
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::impossible);
    CHECK(std::string(error.what()).find("the test array needs 8.39e+06 GiB") != std::string::npos);
  }
}
