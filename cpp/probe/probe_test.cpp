#include "probe/probe.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace tenken;

TEST_CASE("lists of CPUs as the kernel writes them") {
  CHECK(parse_cpus("0-3,8") == std::vector<int>{0, 1, 2, 3, 8});
  CHECK(parse_cpus(" 5 \n") == std::vector<int>{5});
  CHECK(parse_cpus("2,1-2") == std::vector<int>{1, 2});
  CHECK(parse_cpus("").empty());
  CHECK(parse_cpus("all").empty());
  CHECK(parse_cpus("3-1").empty());
  CHECK(parse_cpus("0-99999999999,1") == std::vector<int>{1});
}

TEST_CASE("masks of CPUs as the kernel writes them") {
  CHECK(parse_mask("1,0000000f") == std::vector<int>{0, 1, 2, 3, 32});
  CHECK(parse_mask("0800") == std::vector<int>{11});
  CHECK(parse_mask("aa") == std::vector<int>{1, 3, 5, 7});
  CHECK(parse_mask("00000000,00000000").empty());
  CHECK(parse_mask("").empty());
  CHECK(parse_mask("0x3").empty());
  CHECK(parse_mask(std::string(1 << 20, 'f')).empty());
}

TEST_CASE("text of a machine is made printable") {
  CHECK(printable("gr\xc3\xbc\xc3\x9f dich \xe4\xba\xac") == "gr\xc3\xbc\xc3\x9f dich \xe4\xba\xac");
  CHECK(printable("a\x1b[31mb") == "a?[31mb");
  CHECK(printable("\xff\xc3") == "??");
  CHECK(printable("\xed\xa0\x80") == "???");  // half a surrogate pair
  CHECK(printable("\xc0\xaf") == "??");       // overlong
}

TEST_CASE("numbers, keys and values") {
  CHECK(parse_number("42 kB") == 42);
  CHECK(parse_number("0x10de", 16) == 0x10de);
  CHECK(!parse_number("max"));
  CHECK(!parse_number("99999999999999999999"));
  const std::vector<std::string> lines = {"model name\t: A : B", "empty :", "model : 7"};
  CHECK(value_of(lines, "model name", ':') == "A : B");
  CHECK(value_of(lines, "model", ':') == "7");
  CHECK(!value_of(lines, "empty", ':'));
  CHECK(!value_of(lines, "none", ':'));
}

TEST_CASE("a tree that holds nothing gives a whole description of nulls") {
  const auto folder = std::filesystem::temp_directory_path() / "tenken-probe-empty-tree";
  std::filesystem::create_directories(folder);
  const Tree tree(folder);
  CHECK(!tree.live());
  CHECK(usable_cpus(tree).empty());
  Json json;
  json.begin_object();
  write_cpu(json, tree);
  write_topology(json, tree);
  write_frequency(json, tree);
  json.end_object();
  CHECK(json.text().find("\"cores\":[]") != std::string::npos);
  CHECK(json.text().find("\"vendor\":null") != std::string::npos);
}

TEST_CASE("folders are read in the order of their numbers") {
  const auto folder = std::filesystem::temp_directory_path() / "tenken-probe-numbered-tree";
  for (const auto* name : {"cpu10", "cpu2", "cpu0", "cpufreq", "cpu1x"})
    std::filesystem::create_directories(folder / name);
  const Tree tree(folder);
  CHECK(tree.numbered("/", "cpu") == std::vector<int>{0, 2, 10});
  CHECK(tree.names("/no/such").empty());
  CHECK(!tree.text("/cpu0"));  // a folder is no file
}
