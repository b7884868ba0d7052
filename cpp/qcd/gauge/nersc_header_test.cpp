#include "qcd/gauge/nersc_header.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "qcd/gauge/nersc_data.hpp"

using namespace tenken;
using namespace tenken::qcd;

namespace {

const std::string good =
    "BEGIN_HEADER\n"
    "HDR_VERSION = 1.0\n"
    "DATATYPE = 4D_SU3_GAUGE\n"
    "STORAGE_FORMAT = 1.0\n"
    "DIMENSION_1 = 4\n"
    "DIMENSION_2 = 6\n"
    "DIMENSION_3 = 8\n"
    "DIMENSION_4 = 10\n"
    "LINK_TRACE = -0.0012345\n"
    "PLAQUETTE = 5.8813e-01\n"
    "CHECKSUM = 8a7b6c5d\n"
    "CREATOR = somebody = else\n"
    "FLOATING_POINT = IEEE32BIG\n"
    "END_HEADER\n";

std::string with(std::string text, const std::string& old, const std::string& now) {
  const auto at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), now);
}

std::string refusal(const std::string& text) {
  try {
    parse_nersc_header(text, "FILE");
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::refused);
    CHECK(std::string(error.what()).starts_with("--configuration FILE"));
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a header says all that is needed") {
  const NerscHeader h = parse_nersc_header(good + "data", "FILE");
  CHECK(h.lattice == Index4{4, 6, 8, 10});
  CHECK(h.form.rows == 2);
  CHECK(h.form.real_bytes == 4);
  CHECK(h.form.order == ByteOrder::big);
  CHECK(h.form.order_said);
  CHECK(h.checksum == 0x8a7b6c5d);
  CHECK(h.plaquette == 0.58813);
  CHECK(h.plaquette_digit == doctest::Approx(1e-5));
  CHECK(h.link_trace == -0.0012345);
  CHECK(h.link_trace_digit == doctest::Approx(1e-7));
  CHECK(h.data_begin == static_cast<std::int64_t>(good.size()));
  CHECK(h.file_bytes() == static_cast<std::int64_t>(good.size()) + 4 * 1920 * 48);
}

TEST_CASE("types give rows, width and byte order") {
  const auto form = [](const char* datatype, const char* type) {
    return parse_nersc_header(with(with(good, "4D_SU3_GAUGE", datatype), "IEEE32BIG", type), "FILE").form;
  };
  CHECK(form("4D_SU3_GAUGE", "IEEE32LITTLE").link_bytes() == 48);
  CHECK(form("4D_SU3_GAUGE_3x3", "IEEE32BIG").link_bytes() == 72);
  CHECK(form("4d_su3_gauge_3X3", "ieee64big").link_bytes() == 144);
  CHECK(form("4D_SU(3)_GAUGE", "IEEE32BIG").link_bytes() == 48);
  CHECK(form("4D_SU(3)_GAUGE_(3x3)", "IEEE32BIG").link_bytes() == 72);
  CHECK(form("4D_SU3_GAUGE", "IEEE64LITTLE").link_bytes() == 96);
  CHECK(form("4D_SU3_GAUGE", "IEEE64LITTLE").order == ByteOrder::little);
  for (const char* type : {"IEEE32", "IEEE64"}) {
    CHECK_FALSE(form("4D_SU3_GAUGE", type).order_said);
    CHECK(form("4D_SU3_GAUGE", type).order == host_order());
  }
  CHECK(form("4D_SU3_GAUGE", "IEEE32").real_bytes == 4);
  CHECK(form("4D_SU3_GAUGE", "IEEE64").real_bytes == 8);
}

TEST_CASE("white space, carriage returns, order, repetition and unknown lines do not matter") {
  std::string crlf;
  for (const char c : good) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(parse_nersc_header(crlf, "FILE").data_begin == static_cast<std::int64_t>(crlf.size()));
  const std::string loose =
      with(with(with(good, "DIMENSION_1 = 4\n", ""), "END_HEADER", "  DIMENSION_1=4  \n\n\nEND_HEADER \t"), "BEGIN",
           "\n BEGIN");
  CHECK(parse_nersc_header(loose, "FILE").lattice[0] == 4);
  CHECK(parse_nersc_header(with(good, "CREATOR", "just words\nCHECKSUM = 8a7b6c5d\nPLAQUETTES = x\nCREATOR"), "FILE")
            .checksum == 0x8a7b6c5d);
  CHECK(parse_nersc_header(with(good, "8a7b6c5d", "0xFF"), "FILE").checksum == 255);
  CHECK(parse_nersc_header(with(good, "8a7b6c5d", "0X8A7B6c5D"), "FILE").checksum == 0x8a7b6c5d);
  CHECK(parse_nersc_header(with(good, "8a7b6c5d", "\t 00ff  "), "FILE").checksum == 255);
  CHECK(parse_nersc_header(with(good, "5.8813e-01", "+0"), "FILE").plaquette_digit == 1);
}

TEST_CASE("what cannot be is refused with the line named") {
  for (const char* key : {"DATATYPE", "DIMENSION_1", "DIMENSION_2", "DIMENSION_3", "DIMENSION_4", "LINK_TRACE",
                          "PLAQUETTE", "CHECKSUM", "FLOATING_POINT"}) {
    const std::string said = refusal(with(good, std::string(key) + " =", "X ="));
    CHECK_MESSAGE(said.find("the header has no " + std::string(key)) != std::string::npos, said);
  }
  const auto refused = [](const std::string& old, const std::string& now, const std::string& words) {
    const std::string said = refusal(with(good, old, now));
    CHECK_MESSAGE(said.find(words) != std::string::npos, now, ": ", said);
  };
  refused("DATATYPE = 4D_SU3_GAUGE", "DATATYPE = 4D_SU2_GAUGE", "valid are 4D_SU3_GAUGE, 4D_SU3_GAUGE_3x3");
  refused("IEEE32BIG", "TIDSP32", "valid are IEEE32, IEEE32LITTLE, IEEE32BIG, IEEE64");
  for (const char* extent : {"0", "-4", "65537", "4294967300", "99999999999999999999", "4.0", "4x", "", "0x4"}) {
    refused("DIMENSION_2 = 6", std::string("DIMENSION_2 = ") + extent, "whole number from 1 to 65536");
  }
  refused("DIMENSION_2 = 6", "DIMENSION_2 = 6\nDIMENSION_2 = 8", "DIMENSION_2 is '6' and '8'");
  for (const char* sum : {"", "0x", "123456789", "-1", "8a7b 6c5d", "nonsense"}) {
    refused("8a7b6c5d", sum, "hexadecimal number of 32 bits");
  }
  for (const char* x : {"", "nan", "inf", "-1.1", "1e400", "0.5.5", "58.8 %", "1e99999999999"}) {
    refused("5.8813e-01", x, "PLAQUETTE");
    refused("-0.0012345", x, "LINK_TRACE");
  }
  refused("END_HEADER\n", "END_HEADER", "no line END_HEADER");
  refused("BEGIN_HEADER\n", "BEGIN\n", "not with BEGIN_HEADER");
  CHECK(refusal("").find("is empty") != std::string::npos);
  CHECK(refusal(std::string(300, '\0')).find("not with BEGIN_HEADER") != std::string::npos);
  CHECK(refusal(with(good, "END_HEADER", std::string(longest_nersc_header, ' ') + "\nEND_HEADER"))
            .find("no line END_HEADER in its first 65536 bytes") != std::string::npos);
  std::string huge = good;
  for (const char* line : {"DIMENSION_1 = 4", "DIMENSION_2 = 6", "DIMENSION_3 = 8", "DIMENSION_4 = 10"}) {
    huge = with(huge, line, std::string(line).substr(0, 14) + "65536");
  }
  CHECK(refusal(huge).find("more than 2^40 sites") != std::string::npos);
}

TEST_CASE("the size of the file must be that of the header") {
  const NerscHeader h = parse_nersc_header(good, "FILE");
  require_nersc_size(h, h.file_bytes(), "FILE");
  for (const std::int64_t wrong : {h.file_bytes() - 1, h.file_bytes() + 1, std::int64_t{0}}) {
    try {
      require_nersc_size(h, wrong, "FILE");
      FAIL("accepted");
    } catch (const UserError& error) {
      const std::string said = error.what();
      CHECK(said.find("FILE has " + std::to_string(wrong) + " bytes") != std::string::npos);
      CHECK(said.find("asks for " + std::to_string(h.file_bytes())) != std::string::npos);
    }
  }
}

TEST_CASE("a header that was written is read back") {
  NerscText label;
  label.ensemble_label = "two\nPLAQUETTE = 7";
  for (const int rows : {2, 3}) {
    for (const int bytes : {4, 8}) {
      for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        NerscHeader h;
        h.form = {rows, bytes, order};
        h.lattice = {2, 3, 4, 65536};
        h.checksum = 0xabc;
        h.plaquette = 0.1234567890123;
        h.link_trace = -1e-5;
        const std::string text = nersc_header_text(h, label);
        const NerscHeader back = parse_nersc_header(text, "FILE");
        CHECK(back.form.rows == rows);
        CHECK(back.form.real_bytes == bytes);
        CHECK(back.form.order == order);
        CHECK(back.lattice == h.lattice);
        CHECK(back.checksum == h.checksum);
        CHECK(back.plaquette == h.plaquette);
        CHECK(back.link_trace == h.link_trace);
        CHECK(back.data_begin == static_cast<std::int64_t>(text.size()));
      }
    }
  }
}

TEST_CASE("limits follow the digits of the header") {
  const auto limits = [](const char* plaquette) {
    return nersc_limits(parse_nersc_header(with(good, "5.8813e-01", plaquette), "FILE"));
  };
  CHECK(limits("0.588131234567").plaquette == 1e-5);
  CHECK(limits("0.588131234567").link_trace == 1e-5);
  CHECK(limits("0.5881").plaquette == doctest::Approx(1e-4));
  CHECK(limits("5.88e-01").plaquette == doctest::Approx(1e-3));
  CHECK(limits("1").plaquette == 1e-2);
  CHECK(limits("1").links == 1e-5);
}

TEST_CASE("a link goes into bytes and back") {
  const Link u = random_link(RandomStream(5, 1), 0);
  for (const int rows : {2, 3}) {
    for (const int bytes : {4, 8}) {
      for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        const NerscForm form{rows, bytes, order};
        std::vector<std::byte> data(static_cast<std::size_t>(form.link_bytes()));
        encode_link(form, u, data.data());
        const Link back = decode_link(form, data.data());
        double worst = 0;
        for (int a = 0; a < colours; ++a) {
          for (int b = 0; b < colours; ++b) worst = std::max(worst, std::abs(back.at[a][b].im - u.at[a][b].im));
        }
        CHECK(worst <= (bytes == 4 ? 1e-7 : rows == 2 ? 1e-15 : 0.0));
        // The first byte of 1.0 is its sign and exponent where the order is big.
        encode_link(form, unit_link(), data.data());
        CHECK((std::to_integer<int>(data[0]) == 0x3f) == (order == ByteOrder::big));
        const std::uint32_t ones = static_cast<std::uint32_t>(rows) * (bytes == 4 ? 0x3f800000U : 0x3ff00000U);
        CHECK(word_sum(data, order) == ones);
      }
    }
  }
}

TEST_CASE("a third row is rebuilt, and missed where it is another") {
  const Link u = random_link(RandomStream(5, 1), 0);
  CHECK(third_row_error(u) < 1e-15);
  Link other = u;
  other.at[2][1].im += 1e-7;
  CHECK(third_row_error(other) == doctest::Approx(1e-7));
  rebuild_third_row(other);
  CHECK(third_row_error(other) == 0);
}

TEST_CASE("NaN and infinity are seen in any element") {
  Link u = unit_link();
  CHECK(finite(u));
  u.at[2][1].im = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(finite(u));
  u.at[2][1].im = -std::numeric_limits<double>::infinity();
  CHECK_FALSE(finite(u));
}
