#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>

#include "base/error.hpp"
#include "measure/check.hpp"
#include "measure/thread_level.hpp"

namespace tenken {

namespace {

// The largest code that any rank ends with, once every rank has come here; 0 where some rank has not within `patience`.
int agreed_code(MPI_Comm comm, int code, std::chrono::milliseconds patience) {
  int largest = 0;
  int all_here = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&code, &largest, 1, MPI_INT, MPI_MAX, comm, &request);
  const auto end = std::chrono::steady_clock::now() + patience;
  do {
    MPI_Test(&request, &all_here, MPI_STATUS_IGNORE);
    if (all_here != 0) return largest;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (std::chrono::steady_clock::now() < end);
  return 0;
}

}  // namespace

int run_check(int argc, char** argv, const CheckTable& table, void (*body)(Check&)) {
  int provided = 0;
  int rank = 0;
  int code = static_cast<int>(ExitCode::ok);
  for (int i = 1; i < argc; ++i) {
    // Help needs no MPI and no launcher.
    if (std::string_view(argv[i]) == "--help" || std::string_view(argv[i]) == "-h") {
      std::fputs(Parameters::help_text(table).c_str(), stdout);
      return code;
    }
  }
  // No more than is needed: with some MPIs every message pays for the level.
  const int wanted = wanted_thread_level(table, argc, argv);
  MPI_Init_thread(&argc, &argv, wanted, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm ending = MPI_COMM_NULL;  // of its own: a rank may meet its mistake while others are in a collective
  MPI_Comm_dup(MPI_COMM_WORLD, &ending);
  try {
    require_thread_level(wanted, provided);
    Check check(table, argc, argv);
    body(check);
    code = static_cast<int>(check.finish());
  } catch (const UserError& error) {
    const auto speak = [&] { std::fprintf(stderr, "%s: %s\n", std::string(table.name).c_str(), error.what()); };
    code = static_cast<int>(error.code());
    if (rank == 0) speak();
    // Most mistakes are met by every rank alike: the first rank speaks, and all end as programs do, because an abort
    // has its code from a race (Hydra: at times 1, "Hangup", whatever was given). Only what some rank does not meet
    // needs the abort. Other ranks wait longer, so that they speak only where the first rank is not among them.
    const int agreed = agreed_code(ending, code, std::chrono::milliseconds(rank == 0 ? 2000 : 3000));
    if (agreed == 0) {
      if (rank != 0) speak();
      // Launchers lose what was written just before an abort.
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      MPI_Abort(MPI_COMM_WORLD, code);
    }
    code = agreed;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: internal error on rank %d: %s\n", std::string(table.name).c_str(), rank, error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Comm_free(&ending);
  MPI_Finalize();
  return code;
}

}  // namespace tenken
