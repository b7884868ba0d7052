#include "parallel/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.hpp"
#include "parallel/shared_file.hpp"

namespace tenken {

std::string text_for_all(MPI_Comm comm, const std::string& option, const std::string& file, std::size_t most) {
  std::string text;
  together(comm, [&] {
    if (rank_in(comm) != 0) return;
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    text.resize(most + 1);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad() || !in.is_open() || (in.gcount() == 0 && errno != 0)) {
      refuse(option + " " + file + " cannot be read: " + std::strerror(errno));
    }
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > most) {
      refuse(option + " " + file + " is larger than the " + std::to_string(most) + " bytes that such a file may have");
    }
  });
  auto length = static_cast<std::int64_t>(text.size());
  MPI_Bcast(&length, 1, MPI_INT64_T, 0, comm);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), static_cast<int>(length), MPI_BYTE, 0, comm);
  return text;
}

}  // namespace tenken
