// The algorithms that an MPI library lets one choose for an operation: by settings that it reads when it starts, and
// which it shows afterwards by its tool interface (MPI_T). Others are never guessed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpi_collectives {

struct Offered {
  std::string_view operation;
  std::string_view algorithm;  // as `--algorithm` says
  std::string_view open_mpi;   // its own word for it, of coll_tuned_OPERATION_algorithm; empty: not there
  std::string_view mpich;      // of MPIR_CVAR_OPERATION_INTRA_ALGORITHM
};
std::span<const Offered> offered();

enum class Library { open_mpi, mpich, other };
// By the text of MPI_Get_library_version.
Library library_of(std::string_view version);

struct Setting {
  std::string name;
  std::string value;
};

// What the library must find in its environment; empty where it does not offer that.
std::vector<Setting> settings_for(Library library, std::string_view operation, std::string_view algorithm);
// The control variable that shows the choice, and its word for it.
Setting shown_by(Library library, std::string_view operation, std::string_view algorithm);
// Whether the variable shows `word`, or, where it has only numbers, any choice at all.
bool is_taken(std::string_view shown, std::string_view word);
// "binomial, chain, ...": what the library offers for the operation; empty for nothing.
std::string choices(Library library, std::string_view operation);

// Sets what `--operation O --algorithm A` asks for. Before MPI starts; mistakes are refused later.
void choose_as_asked(int argc, const char* const* argv);

// Refuses or lacks, in a sentence, unless the library shows that it took `algorithm` ("library": nothing was chosen).
void require_taken(std::string_view operation, std::string_view algorithm);

}  // namespace mpi_collectives
