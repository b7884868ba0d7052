#include "base/gzip.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"

#if TENKEN_ZLIB

using namespace tenken;

namespace {

std::string bytes_of(const std::string& hexadecimal) {
  std::string bytes;
  for (std::size_t n = 0; n < hexadecimal.size(); n += 2) {
    bytes += static_cast<char>(std::stoi(hexadecimal.substr(n, 2), nullptr, 16));
  }
  return bytes;
}

// Written by zlib 1.2: a block of each kind.
const std::string stored =
    bytes_of("1f8b0800000000000403011500eaff74656e6b656e2074656e6b656e2074656e6b656e0a7d2b025b15000000");
const std::string fixed = bytes_of("1f8b08000000000002032b49cdcb4ecd532841a6b8007d2b025b15000000");
const std::string dynamic = bytes_of(
    "1f8b0800000000000203ed90db8dc5200c055b9912621b0cf4dfd80ef4b07f578a5012cefb23181ca2c94935e3"
    "d0831d1439188b95241574724414eb2392591cd17215f07d303f363dc9c5decc41265b35a52611eca6656c2a09"
    "919c624fd66179d67bdea73fbdea0b122a419ae47842ca29aab406da68a6e5bee646b841e285ea1bd0988635b2"
    "c1fb95c85bc75256ab5bd2aa16ae57de098e5b04df6f93df26bf4dfe63933ff0741daf6f040000");

std::string squares() {
  std::string text;
  for (int i = 0; i < 400; ++i) text += std::to_string(i * i % 97) + " ";
  return text;
}

std::string refusal(const std::string& bytes, std::int64_t most = 1 << 20) {
  try {
    gunzip(bytes, "FILE", most);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("blocks of each kind are unpacked, and members one after the other") {
  CHECK(is_gzip(fixed));
  CHECK_FALSE(is_gzip("%%MatrixMarket"));
  CHECK(gunzip(stored, "FILE", 100) == "tenken tenken tenken\n");
  CHECK(gunzip(fixed, "FILE", 100) == "tenken tenken tenken\n");
  CHECK(gunzip(dynamic, "FILE", 10000) == squares());
  CHECK(gunzip(dynamic + fixed + stored + std::string(512, '\0'), "FILE", 10000) ==
        squares() + "tenken tenken tenken\ntenken tenken tenken\n");
}

TEST_CASE("a header with a name, a comment and further fields is skipped") {
  std::string bytes = fixed;
  bytes[3] = 4 + 8 + 16;
  bytes.insert(10, std::string("\x03\0abcname\0comment\0", 18));
  CHECK(gunzip(bytes, "FILE", 100) == "tenken tenken tenken\n");
  CHECK(refusal(bytes.substr(0, 20)) == "FILE: the data packed by gzip end too early; get the file anew, it was cut");
}

TEST_CASE("cut and damaged data are refused wherever they are cut or damaged") {
  int unseen = 0;  // bits that mean nothing
  for (const std::string& whole : {stored, fixed, dynamic}) {
    for (std::size_t n = 1; n < whole.size(); ++n) {
      CHECK(refusal(whole.substr(0, n)).find("it was cut") != std::string::npos);
    }
    for (std::size_t n = 10; n < whole.size(); ++n) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string damaged = whole;
        damaged[n] = static_cast<char>(damaged[n] ^ (1 << bit));
        const std::string sentence = refusal(damaged);
        const bool padding = sentence.empty() && gunzip(damaged, "FILE", 1 << 20) == gunzip(whole, "FILE", 1 << 20);
        unseen += padding ? 1 : 0;
        CHECK((padding || sentence.starts_with("FILE: ")));
      }
    }
  }
  CHECK(unseen < 16);
  std::string other_sum = fixed;
  other_sum[other_sum.size() - 8] ^= 1;
  CHECK(refusal(other_sum) == "FILE: its check sum is not that of its content, so the file is damaged; get it anew");
  CHECK(gunzip(fixed + "more", "FILE", 100) == "tenken tenken tenken\n");
}

TEST_CASE("more than the limit is refused before it is stored") {
  CHECK(refusal(dynamic, static_cast<std::int64_t>(squares().size())) == "");
  CHECK(refusal(dynamic, static_cast<std::int64_t>(squares().size()) - 1).find("unpacks to more than 0 MiB") !=
        std::string::npos);
  CHECK(refusal(fixed, 20).find("unpacks to more") != std::string::npos);
  CHECK(refusal(stored, 20).find("unpacks to more") != std::string::npos);
}

#endif
