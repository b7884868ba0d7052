#include <array>

#include "data_file.hpp"

namespace io_throughput {

namespace {

std::string reason(int error) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(error, text.data(), &length);
  return text.data();
}

class MpiIoFile : public DataFile {
 public:
  MpiIoFile(MPI_Comm comm, int folder, std::string who) : DataFile(std::move(who)), comm_(comm), folder_(folder) {}
  ~MpiIoFile() override {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }

  void open(const std::string& name, Use use) override {
    name_ = name;
    // MPI-IO takes a path. This one leads to the folder that was opened without following a link.
    const std::string path = "/proc/self/fd/" + std::to_string(folder_) + "/" + name;
    const int mode = use == Use::write ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY;
    check("open", 0, MPI_File_open(comm_, path.c_str(), mode, MPI_INFO_NULL, &file_));
  }

  void write(const std::byte* from, std::int64_t bytes, std::int64_t at) override {
    if (failed()) return;
    MPI_Status status;
    check("write", at, MPI_File_write_at(file_, at, from, static_cast<int>(bytes), MPI_BYTE, &status));
    if (!failed() && count(status) != bytes) fail("write", name_, at, "MPI-IO wrote fewer bytes than it was given");
  }

  std::int64_t read(std::byte* into, std::int64_t bytes, std::int64_t at) override {
    if (failed()) return 0;
    MPI_Status status;
    check("read", at, MPI_File_read_at(file_, at, into, static_cast<int>(bytes), MPI_BYTE, &status));
    return failed() ? 0 : count(status);
  }

  void sync() override {
    if (file_ != MPI_FILE_NULL) check("sync", 0, MPI_File_sync(file_));
  }

  void close() override {
    if (file_ != MPI_FILE_NULL) check("close", 0, MPI_File_close(&file_));
  }

 private:
  void check(const char* phase, std::int64_t at, int error) {
    if (error != MPI_SUCCESS) fail(phase, name_, at, reason(error));
  }
  static std::int64_t count(const MPI_Status& status) {
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    return bytes == MPI_UNDEFINED ? 0 : bytes;
  }

  MPI_Comm comm_;
  int folder_;
  std::string name_;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace

std::unique_ptr<DataFile> mpi_io_file(MPI_Comm comm, int folder, std::string who) {
  return std::make_unique<MpiIoFile>(comm, folder, std::move(who));
}

}  // namespace io_throughput
