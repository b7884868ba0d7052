#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>

#include "base/error.hpp"
#include "measure/check.hpp"

namespace tenken {

int run_check(int argc, char** argv, const CheckTable& table, void (*body)(Check&)) {
  int provided = 0;
  int rank = 0;
  int code = static_cast<int>(ExitCode::ok);
  bool started = false;
  for (int i = 1; i < argc; ++i) {
    // Help needs no MPI and no launcher.
    if (std::string_view(argv[i]) == "--help" || std::string_view(argv[i]) == "-h") {
      std::fputs(Parameters::help_text(table).c_str(), stdout);
      return code;
    }
  }
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    if (provided < MPI_THREAD_FUNNELED) impossible("this MPI does not offer MPI_THREAD_FUNNELED; use another MPI");
    Check check(table, argc, argv);
    started = true;
    body(check);
    check.finish();
  } catch (const UserError& error) {
    // Most mistakes are met by every rank alike: the first rank speaks, the others only if it stays silent, for so long
    // as a loaded node may take to end them.
    if (rank != 0) std::this_thread::sleep_for(std::chrono::milliseconds(started ? 3000 : 0));
    if (rank == 0 || started) std::fprintf(stderr, "%s: %s\n", std::string(table.name).c_str(), error.what());
    code = static_cast<int>(error.code());
    if (started) {
      // Launchers lose what was written just before an abort.
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      MPI_Abort(MPI_COMM_WORLD, code);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: internal error on rank %d: %s\n", std::string(table.name).c_str(), rank, error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return code;
}

}  // namespace tenken
