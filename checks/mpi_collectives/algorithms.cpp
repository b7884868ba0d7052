#include "algorithms.hpp"

#include <mpi.h>
#include <stdlib.h>

#include <array>
#include <cctype>

#include "base/error.hpp"

namespace mpi_collectives {

namespace {

constexpr std::array table = std::to_array<Offered>({
    {"barrier", "linear", "linear", ""},
    {"barrier", "ring", "double_ring", ""},
    {"barrier", "recursive_doubling", "recursive_doubling", ""},
    {"barrier", "bruck", "bruck", "dissemination"},
    {"barrier", "tree", "tree", ""},
    {"barrier", "two_level", "", "smp"},
    {"bcast", "linear", "basic_linear", ""},
    {"bcast", "chain", "chain", ""},
    {"bcast", "pipeline", "pipeline", ""},
    {"bcast", "split_binary", "split_binary_tree", ""},
    {"bcast", "binary", "binary_tree", ""},
    {"bcast", "binomial", "binomial", "binomial"},
    {"bcast", "knomial", "knomial", ""},
    {"bcast", "scatter_doubling", "scatter_allgather", "scatter_recursive_doubling_allgather"},
    {"bcast", "scatter_ring", "scatter_allgather_ring", "scatter_ring_allgather"},
    {"bcast", "two_level", "", "smp"},
    {"allreduce", "linear", "basic_linear", ""},
    {"allreduce", "reduce_bcast", "nonoverlapping", ""},
    {"allreduce", "recursive_doubling", "recursive_doubling", "recursive_doubling"},
    {"allreduce", "ring", "ring", ""},
    {"allreduce", "segmented_ring", "segmented_ring", ""},
    {"allreduce", "rabenseifner", "rabenseifner", "reduce_scatter_allgather"},
    {"allreduce", "two_level", "", "smp"},
    {"reduce", "linear", "linear", ""},
    {"reduce", "chain", "chain", ""},
    {"reduce", "pipeline", "pipeline", ""},
    {"reduce", "binary", "binary", ""},
    {"reduce", "binomial", "binomial", "binomial"},
    {"reduce", "rabenseifner", "rabenseifner", "reduce_scatter_gather"},
    {"reduce", "two_level", "", "smp"},
    {"allgatherv", "linear", "default", ""},
    {"allgatherv", "bruck", "bruck", "brucks"},
    {"allgatherv", "ring", "ring", "ring"},
    {"allgatherv", "recursive_doubling", "", "recursive_doubling"},
    {"allgatherv", "neighbour", "neighbor", ""},
    {"alltoall", "linear", "linear", "scattered"},
    {"alltoall", "pairwise", "pairwise", "pairwise"},
    {"alltoall", "bruck", "modified_bruck", "brucks"},
    {"alltoall", "linear_in_step", "linear_sync", ""},
});

std::string upper(std::string_view text) {
  std::string result;
  for (const char letter : text) result += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return result;
}

std::string_view word_of(Library library, std::string_view operation, std::string_view algorithm) {
  for (const Offered& one : table) {
    if (one.operation != operation || one.algorithm != algorithm) continue;
    if (library == Library::open_mpi) return one.open_mpi;
    if (library == Library::mpich) return one.mpich;
  }
  return {};
}

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return text.data();
}

std::string asked_for(std::string_view option, int argc, const char* const* argv) {
  std::string asked;
  for (int i = 1; i < argc; ++i) {
    const std::string_view given = argv[i];
    if (given == option && i + 1 < argc) asked = argv[i + 1];
    if (given.starts_with(option) && given.substr(option.size()).starts_with("=")) {
      asked = given.substr(option.size() + 1);
    }
  }
  return asked;
}

// "Open MPI v4.1.4" of "Open MPI v4.1.4, package: ...", "MPICH 4.0.2" of "MPICH Version:<tab>4.0.2<newline>...".
std::string name_of(std::string_view version) {
  std::string name(version.substr(0, version.find_first_of(",\n")));
  const auto word = name.find(" Version:\t");
  if (word != std::string::npos) name.replace(word, 10, " ");
  return name;
}

// What the control variable `name` shows now: its word, or its number where it has no words (MPICH 4.0); empty where
// there is no such variable.
std::string shown_word(const std::string& name) {
  int index = 0;
  if (MPI_T_cvar_get_index(name.c_str(), &index) != MPI_SUCCESS) return {};
  int length = 0;
  int described = 0;
  int level = 0;
  int bound = 0;
  int scope = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_enum words = MPI_T_ENUM_NULL;
  if (MPI_T_cvar_get_info(index, nullptr, &length, &level, &type, &words, nullptr, &described, &bound, &scope) !=
      MPI_SUCCESS) {
    return {};
  }
  MPI_T_cvar_handle handle;
  int count = 0;
  if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) return {};
  std::string found;
  if (type == MPI_CHAR) {
    std::vector<char> text(static_cast<std::size_t>(count) + 1);
    if (MPI_T_cvar_read(handle, text.data()) == MPI_SUCCESS) found = text.data();
  } else if (type == MPI_INT && count == 1) {
    int value = 0;
    int items = 0;
    if (MPI_T_cvar_read(handle, &value) == MPI_SUCCESS) found = std::to_string(value);
    std::array<char, 256> text{};
    length = text.size();
    if (words != MPI_T_ENUM_NULL) MPI_T_enum_get_info(words, &items, text.data(), &length);
    for (int i = 0; i < items; ++i) {
      int item = 0;
      length = text.size();
      MPI_T_enum_get_item(words, i, &item, text.data(), &length);
      if (item == value) found = text.data();
    }
  }
  MPI_T_cvar_handle_free(&handle);
  return found;
}

}  // namespace

std::span<const Offered> offered() { return table; }

Library library_of(std::string_view version) {
  if (version.starts_with("Open MPI")) return Library::open_mpi;
  return version.starts_with("MPICH") ? Library::mpich : Library::other;
}

std::vector<Setting> settings_for(Library library, std::string_view operation, std::string_view algorithm) {
  const std::string word(word_of(library, operation, algorithm));
  if (word.empty()) return {};
  if (library == Library::open_mpi) {
    return {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
            {"OMPI_MCA_coll_tuned_" + std::string(operation) + "_algorithm", word}};
  }
  // Without its device's own choice, which would come first.
  return {{"MPIR_CVAR_" + upper(operation) + "_DEVICE_COLLECTIVE", "0"},
          {"MPIR_CVAR_" + upper(operation) + "_INTRA_ALGORITHM", word}};
}

Setting shown_by(Library library, std::string_view operation, std::string_view algorithm) {
  const std::string name = library == Library::open_mpi ? "coll_tuned_" + std::string(operation) + "_algorithm"
                                                        : "MPIR_CVAR_" + upper(operation) + "_INTRA_ALGORITHM";
  return {name, std::string(word_of(library, operation, algorithm))};
}

std::string choices(Library library, std::string_view operation) {
  std::string all;
  for (const Offered& one : table) {
    if (one.operation != operation || word_of(library, operation, one.algorithm).empty()) continue;
    all += (all.empty() ? "" : ", ") + std::string(one.algorithm);
  }
  return all;
}

bool is_taken(std::string_view shown, std::string_view word) {
  if (shown == word) return true;
  const bool number = !shown.empty() && shown.find_first_not_of("0123456789") == std::string_view::npos;
  return number && shown != "0";  // 0: as the library chooses itself
}

void choose_as_asked(int argc, const char* const* argv) {
  const Library library = library_of(library_version());
  for (const Setting& one :
       settings_for(library, asked_for("--operation", argc, argv), asked_for("--algorithm", argc, argv))) {
    setenv(one.name.c_str(), one.value.c_str(), 1);
  }
}

void require_taken(std::string_view operation, std::string_view algorithm) {
  if (algorithm == "library") return;
  const std::string version = library_version();
  const Library library = library_of(version);
  const std::string of = "--algorithm " + std::string(algorithm);
  if (operation == "all") tenken::refuse(of + " belongs to one operation; name the operation by --operation");
  const Setting expected = shown_by(library, operation, algorithm);
  const std::string name = name_of(version);
  if (expected.value.empty()) {
    const std::string there = choices(library, operation);
    tenken::lacking(of + ": " + name + " does not offer it for " + std::string(operation) +
                    (there.empty() ? "" : "; it offers " + there));
  }
  int level = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
  const std::string shown = shown_word(expected.name);
  MPI_T_finalize();
  if (!is_taken(shown, expected.value)) {
    tenken::lacking(of + ": " + name + " did not take it: its variable " + expected.name + " shows '" + shown +
                    "' instead of '" + expected.value + "'");
  }
}

}  // namespace mpi_collectives
