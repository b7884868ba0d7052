#include "base/checkpoint.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "testing/plant.hpp"

using namespace tenken;
namespace {

std::string refusal(const std::function<void()>& use) {
  try {
    use();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a checkpoint gives back the numbers that were written, and nothing else") {
  const tenken::testing::PlantedTree folder;
  const std::string path = (folder.root() / "state").string();
  const CheckpointKey key{
      .input = fingerprint(1, 2.5), .stage = "real time", .first = 3, .last = 9, .rank = 1, .ranks = 4};
  std::vector<double> written(2000), read(2000);
  for (std::size_t i = 0; i < written.size(); ++i) written[i] = 1.0 / static_cast<double>(i + 1);
  const auto restore = [&](std::istream& in) { return get(in, read.data(), read.size()); };
  CHECK_FALSE(load_checkpoint(path, key, restore));
  save_checkpoint(path, key, [&](std::ostream& out) { put(out, written.data(), written.size()); });
  CHECK_FALSE(std::filesystem::exists(path + ".new"));
  CHECK(load_checkpoint(path, key, restore));
  CHECK(read == written);

  const auto said = [&](const CheckpointKey& with) { return refusal([&] { load_checkpoint(path, with, restore); }); };
  CheckpointKey wrong = key;
  wrong.input = fingerprint(1, 2.6);
  CHECK(said(wrong).find("of another input") != std::string::npos);
  wrong = key;
  wrong.ranks = 2;
  CHECK(said(wrong).find("of another layout (rank 1 of 4)") != std::string::npos);
  wrong = key;
  wrong.last = 8;
  CHECK(said(wrong).find("of another layout") != std::string::npos);
  wrong = key;
  wrong.stage = "ground state";
  CHECK(said(wrong).find("of the stage 'real time'") != std::string::npos);
  read.resize(2001);  // more than was written
  CHECK(said(key).find("is damaged") != std::string::npos);
  read.resize(2000);
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(5000);
    file.put('x');
  }
  CHECK(said(key).find("is damaged") != std::string::npos);
  std::filesystem::resize_file(path, 200);
  CHECK(said(key).find("is damaged") != std::string::npos);
  CHECK(refusal([&] { save_checkpoint("/nowhere/at/all", key, [](std::ostream&) {}); }).find("cannot be written") !=
        std::string::npos);
}
