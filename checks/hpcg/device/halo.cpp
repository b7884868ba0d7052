#include "device/halo.hpp"

namespace tenken::hpcg::device {

Halo::Halo(MPI_Comm comm, Device& device, const Grid& grid, const Places& places)
    : device_(device), padded_(places.padded()) {
  std::vector<std::int32_t> send;
  for (const Neighbour& one : grid.lists().neighbours) {
    for (const std::int32_t item : one.send) send.push_back(places[item]);
  }
  sent_ = static_cast<std::int64_t>(send.size());
  received_ = places.others();
  // The messages are stretches of the host's memory: received values arrive in the order of their columns.
  Lists lists;
  lists.items = sent_ + received_;
  std::int32_t next = 0;
  for (const Neighbour& one : grid.lists().neighbours) {
    Neighbour& packed = lists.neighbours.emplace_back(Neighbour{one.rank, {}, {}});
    for (std::size_t i = 0; i < one.send.size(); ++i) packed.send.push_back(next++);
    for (const std::int32_t item : one.receive) {
      packed.receive.push_back(static_cast<std::int32_t>(sent_ + places[item] - padded_));
    }
  }
  if (sent_ > 0) {
    places_ = {device, send.size(), "places of values that are sent"};
    device.write(places_.data(), send.data(), places_.bytes());
    packed_ = {device, send.size(), "values that are sent"};
  }
  host_ = {device, static_cast<std::size_t>(lists.items), "messages to other ranks"};
  exchange_.emplace(comm, lists, std::vector<Field>{{sizeof(double), host_.data()}});
}

void Halo::exchange(double* x, bool stale) {
  device_.run(sent_, Pack{places_.data(), x, packed_.data()});
  device_.read(host_.data(), packed_.data(), packed_.bytes());
  exchange_->pack(0, host_.data());
  exchange_->start();
  exchange_->wait_incoming();
  exchange_->unpack(0, host_.data());
  if (!stale) device_.write(x + padded_, host_.data() + sent_, static_cast<std::size_t>(received_) * sizeof(double));
  exchange_->wait_outgoing();
}

}  // namespace tenken::hpcg::device
