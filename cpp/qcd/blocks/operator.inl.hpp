// Definitions of operator.hpp, for the file that compiles them.
#pragma once

#include "qcd/blocks/operator.hpp"

namespace tenken::qcd {

template <class Real, int width>
BlockOperator<Real, width>::BlockOperator(MPI_Comm comm, const BlockLayout& layout, const ExtendedLinks& links,
                                          const CloverField* inverse, double kappa, const BlockSections& sections,
                                          BlockFaults faults)
    : comm_(comm),
      layout_(layout),
      sections_(sections),
      faults_(faults),
      kappa_(static_cast<Real>(kappa)),
      clover_(inverse != nullptr),
      inner_(8 * layout.all_vectors(), Pages::huge, "links inside of blocks"),
      outer_(static_cast<std::size_t>(layout.groups()) * layout.ghosts_of_group(), Pages::huge, "links between blocks"),
      inverse_(clover_ ? layout.all_vectors() : 1, Pages::huge, "the inverse of the clover term in vectors"),
      ghosts_(static_cast<std::size_t>(layout.groups()) * layout.ghosts_of_group(), Pages::huge, "ghosts of blocks") {
  const Geometry& g = layout.geometry();
  const auto real = [](void* numbers, std::int64_t n, int lane) -> Real& {
    return static_cast<Real*>(numbers)[n * width + lane];
  };
  for (std::int32_t site = 0; site < g.sites; ++site) {
    const Index4 x = coordinates(site, g.block.extents());
    const auto [vector, lane] = layout.place(site);
    for (int mu = 0; mu < directions; ++mu) {
      Index4 behind = x;
      --behind[mu];
      for (const Way way : {Way::forward, Way::backward}) {
        const Link& u = links.at(way == Way::forward ? x : behind, mu);
        const int h = hop(mu, way);
        void* const to = layout.leaves(site, mu, way)
                             ? static_cast<void*>(&outer_[layout.ghost_of(site, h)])
                             : static_cast<void*>(&inner_[8 * vector + static_cast<std::size_t>(h)]);
        const Real scale = mu == 3 && t_doubled<colours> ? 2 : 1;
        for (int i = 0; i < colours * colours; ++i) {
          real(to, 2 * i, lane) = scale * static_cast<Real>(u.at[i / colours][i % colours].re);
          real(to, 2 * i + 1, lane) = scale * static_cast<Real>(u.at[i / colours][i % colours].im);
        }
      }
    }
    if (!clover_) continue;
    const double* const numbers = (*inverse)[static_cast<std::size_t>(site)].block[0].diagonal;
    for (int n = 0; n < 72; ++n) real(&inverse_[vector], n, lane) = static_cast<Real>(0.5 * numbers[n]);
  }
  find_targets();
  for (int t = 0; t < omp_get_max_threads(); ++t) {
    scratch_.emplace_back(static_cast<std::size_t>(scratch_fields) * static_cast<std::size_t>(layout.vectors()),
                          Pages::any, "vectors of a block");
    times_.emplace_back();
  }
}

// A hop of a receiver is filled by the other rank's, or other block's, site one step on, which lists it under the
// opposite hop. Half-spinors of a message come in the order of hops, and in each of the places in the face.
template <class Real, int width>
void BlockOperator<Real, width>::find_targets() {
  const Geometry& g = layout_.geometry();
  const Index4& extents = g.block.extents();
  targets_.assign(ghosts_.size() * width, nowhere);
  reaches_.assign(static_cast<std::size_t>(layout_.groups()) * parities * 8, {false, false});
  const auto target = [&](std::int32_t sender, int h) -> std::int64_t& {
    return targets_[layout_.ghost_of(sender, h ^ 1) * width + static_cast<std::size_t>(layout_.place(sender).lane)];
  };
  const auto reach = [&](std::int32_t sender, int h, bool remote) {
    const Index4 x = coordinates(sender, extents);
    const int parity = (x[0] + x[1] + x[2] + x[3]) & 1;
    reaches_[static_cast<std::size_t>((layout_.group_of(sender) * parities + parity) * 8 + h)][remote ? 1 : 0] = true;
  };
  const auto ghost = [&](std::int32_t receiver, int h) {
    return static_cast<std::int64_t>(layout_.ghost_of(receiver, h)) * half_numbers * width +
           layout_.place(receiver).lane;
  };
  std::array<std::array<std::size_t, 9>, block_colours> sent{}, received{};
  for (int h = 0; h < 8; ++h) {
    const int mu = h / 2;
    const Way way = static_cast<Way>(h % 2);
    for (std::int32_t receiver = 0; receiver < g.sites; ++receiver) {
      const std::int32_t sender = g.neighbours[static_cast<std::size_t>(receiver)][static_cast<std::size_t>(h)];
      if (sender < 0 || !layout_.leaves(receiver, mu, way)) continue;
      target(sender, h) = ghost(receiver, h);
      reach(sender, h, false);
    }
    const bool forward = way == Way::forward;
    for (const std::int32_t sender : g.face_at(mu, forward ? Side::lower : Side::upper)) {
      const auto colour = static_cast<std::size_t>(layout_.colour_of(sender));
      target(sender, h) = -1 - static_cast<std::int64_t>(outgoing_[colour].size());
      outgoing_[colour].resize(outgoing_[colour].size() + half_numbers);
      reach(sender, h, true);
    }
    for (const std::int32_t receiver : g.face_at(mu, forward ? Side::upper : Side::lower)) {
      const auto colour = static_cast<std::size_t>(1 - layout_.colour_of(receiver));  // of the sender
      arrivals_[colour].push_back(ghost(receiver, h));
      incoming_[colour].resize(incoming_[colour].size() + half_numbers);
    }
    for (std::size_t colour = 0; colour < block_colours; ++colour) {
      sent[colour][static_cast<std::size_t>(h) + 1] = outgoing_[colour].size();
      received[colour][static_cast<std::size_t>(h) + 1] = incoming_[colour].size();
    }
  }
  for (std::size_t colour = 0; colour < block_colours; ++colour) {
    requests_[colour] = std::make_unique<Requests>(comm_);
    for (int h = 0; h < 8; ++h) {
      const int mu = h / 2;
      const bool forward = h % 2 == 0;
      const auto n = static_cast<std::size_t>(h);
      const std::size_t out = sent[colour][n + 1] - sent[colour][n];
      const std::size_t in = received[colour][n + 1] - received[colour][n];
      if (in > 0) {
        requests_[colour]->receive(g.block.neighbour(mu, forward ? Side::upper : Side::lower), h,
                                   reinterpret_cast<std::byte*>(&incoming_[colour][received[colour][n]]),
                                   in * sizeof(Real));
      }
      if (out > 0) {
        requests_[colour]->send(g.block.neighbour(mu, forward ? Side::lower : Side::upper), h,
                                reinterpret_cast<const std::byte*>(&outgoing_[colour][sent[colour][n]]),
                                out * sizeof(Real));
      }
    }
    requests_[colour]->complete();
  }
}

template <class Real, int width>
auto BlockOperator<Real, width>::make() const -> Vector {
  Vector x(layout_.all_vectors(), Pages::huge, "spinor fields in blocks");
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = {};
  return x;
}

template <class Real, int width>
void BlockOperator<Real, width>::take(const Field& from, double factor, Vector& to) const {
#pragma omp parallel for schedule(static)
  for (std::int32_t site = 0; site < layout_.geometry().sites; ++site) {
    const auto [vector, lane] = layout_.place(site);
    Real* const numbers = reinterpret_cast<Real*>(&to[vector]) + lane;
    for (int s = 0; s < spins; ++s) {
      for (int c = 0; c < colours; ++c) {
        const int n = 2 * ((s / 2 * colours + c) * 2 + s % 2);
        numbers[n * width] = static_cast<Real>(factor * from[site].at[s][c].re);
        numbers[(n + 1) * width] = static_cast<Real>(factor * from[site].at[s][c].im);
      }
    }
  }
}

template <class Real, int width>
void BlockOperator<Real, width>::give(const Vector& from, double factor, Field& to) const {
#pragma omp parallel for schedule(static)
  for (std::int32_t site = 0; site < layout_.geometry().sites; ++site) {
    const auto [vector, lane] = layout_.place(site);
    const Real* const numbers = reinterpret_cast<const Real*>(&from[vector]) + lane;
    for (int s = 0; s < spins; ++s) {
      for (int c = 0; c < colours; ++c) {
        const int n = 2 * ((s / 2 * colours + c) * 2 + s % 2);
        to[site].at[s][c] = {factor * static_cast<double>(numbers[n * width]),
                             factor * static_cast<double>(numbers[(n + 1) * width])};
      }
    }
  }
}

template <class Real, int width>
void BlockOperator<Real, width>::divide(Vector& x) const {
  if (!clover_) return;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < x.size(); ++i) {
    Spin out;
    lane_clover_times(inverse_[i], x[i], out);
    x[i] = out;
  }
}

template <class Real, int width>
void BlockOperator<Real, width>::hops(int group, int parity, Spin* out, const Spin* in) const {
  const Lanes& lanes = layout_.lanes();
  const HopData<V, colours> data{lanes.neighbours[static_cast<std::size_t>(parity)].data(),
                                 1,
                                 false,
                                 &inner_[8 * layout_.vector_at(group, parity, 0)],
                                 nullptr,
                                 {},
                                 lanes.bit};
  hop_vectors<Real, width, false, false, colours>(data, lanes.interior[static_cast<std::size_t>(parity)].data(), 0,
                                                  layout_.vectors(), out, in, nullptr, Real{0});
}

template <class Real, int width>
void BlockOperator<Real, width>::combine(int group, int parity, Spin* out, const Spin* base, Real factor,
                                         const Spin* hopped) const {
  const std::size_t first = layout_.vector_at(group, parity, 0);
  const auto count = static_cast<std::size_t>(layout_.vectors());
  for (std::size_t v = 0; v < count; ++v) {
    Spin turned;
    if (clover_) {
      lane_clover_times(inverse_[first + v], hopped[v], turned);
    } else {
      turned = hopped[v];
    }
    const V* const a = reinterpret_cast<const V*>(&turned);
    const V* const b = reinterpret_cast<const V*>(&base[v]);
    V* const o = reinterpret_cast<V*>(&out[v]);
    for (int n = 0; n < spinor_numbers; ++n) o[n] = b[n] + factor * a[n];
  }
}

template <class Real, int width>
void BlockOperator<Real, width>::add_ghosts(int group, Vector& r, Real factor, Spin* scratch) const {
  for (int p = 0; p < parities; ++p) {
    for (std::int32_t v = 0; v < layout_.vectors(); ++v) scratch[v] = {};
    for (int h = 0; h < 8; ++h) {
      const auto& rim = layout_.rim(p, h);
      const std::size_t first = layout_.ghost_at(group, p, h, 0);
      detail::with_hop(h, [&](auto mu, auto way) {
        for (std::size_t i = 0; i < rim.size(); ++i) {
          const BasicHalf<V>& ghost = ghosts_[first + i];
          BasicHalf<V> turned;
          times<way() == Way::backward>(turned, outer_[first + i],
                                        [&](int b, Complex<V>(&half)[2]) TENKEN_INLINE_LAMBDA {
                                          for (int s = 0; s < 2; ++s) half[s] = {ghost.at[s][b].re, ghost.at[s][b].im};
                                        });
          detail::add_half<mu(), way()>(scratch[rim[i]], turned);
        }
      });
    }
    Spin* const to = at(r, group, p);
    combine(group, p, to, to, factor, scratch);
  }
}

template <class Real, int width>
template <bool remote>
void BlockOperator<Real, width>::fill(int group, const Vector& x) {
  const auto colour = static_cast<std::size_t>(group < layout_.first_group(1) ? 0 : 1);
  Real* const here = reinterpret_cast<Real*>(ghosts_.data());
  Real* const message = outgoing_[colour].data();
  for (int p = 0; p < parities; ++p) {
    const Spin* const from = at(x, group, p);
    for (int h = 0; h < 8; ++h) {
      if (!reaches_[static_cast<std::size_t>((group * parities + p) * 8 + h)][remote ? 1 : 0]) continue;
      const auto& rim = layout_.rim(p, h ^ 1);
      const std::int64_t* const targets = &targets_[layout_.ghost_at(group, p, h ^ 1, 0) * width];
      detail::with_hop(h, [&](auto mu, auto way) {
        for (std::size_t i = 0; i < rim.size(); ++i) {
          BasicHalf<V> half;
          for (int s = 0; s < 2; ++s) {
            for (int c = 0; c < colours; ++c) half.at[s][c] = project<mu(), way()>(from[rim[i]], s, c);
          }
          const Real* const numbers = reinterpret_cast<const Real*>(&half);
          for (int lane = 0; lane < width; ++lane) {
            const std::int64_t to = targets[i * width + static_cast<std::size_t>(lane)];
            if (to == nowhere || (to < 0) != remote) continue;
            if constexpr (remote) {
              for (int n = 0; n < half_numbers; ++n) message[-1 - to + n] = numbers[n * width + lane];
            } else {
              for (int n = 0; n < half_numbers; ++n) here[to + n * width] = numbers[n * width + lane];
            }
          }
        }
      });
    }
  }
}

template <class Real, int width>
void BlockOperator<Real, width>::fill_neighbours(int group, const Vector& x) {
  if (faults_.lost_face && group == 0) return;
  fill<false>(group, x);
}

template <class Real, int width>
void BlockOperator<Real, width>::fill_messages(int group, const Vector& x) {
  if (faults_.stale_send && group < layout_.first_group(1)) return;
  fill<true>(group, x);
}

template <class Real, int width>
void BlockOperator<Real, width>::wait(int colour) {
  const auto c = static_cast<std::size_t>(colour);
  requests_[c]->wait_incoming();
  Real* const here = reinterpret_cast<Real*>(ghosts_.data());
  for (std::size_t i = 0; i < arrivals_[c].size(); ++i) {
    for (int n = 0; n < half_numbers; ++n)
      here[arrivals_[c][i] + n * width] = incoming_[c][half_numbers * i + static_cast<std::size_t>(n)];
  }
  requests_[c]->wait_outgoing();
}

template <class Real, int width>
template <class Each>
void BlockOperator<Real, width>::for_groups(int first, int last, Each each) {
#pragma omp parallel
  {
    const auto me = static_cast<std::size_t>(omp_get_thread_num());
    times_[me] = {};
#pragma omp for schedule(static)
    for (int group = first; group < last; ++group) each(group, scratch_[me].data(), times_[me]);
  }
  report(sections_.hops, &ThreadTimes::hops);
  report(sections_.inverse, &ThreadTimes::inverse);
  report(sections_.combine, &ThreadTimes::combine);
}

template <class Real, int width>
void BlockOperator<Real, width>::report(Leaf section, Spent ThreadTimes::*kind) const {
  Spent all;
  for (const ThreadTimes& each : times_) {
    all.ticks += (each.*kind).ticks;
    if ((each.*kind).ticks > 0) all.add((each.*kind).work);
  }
  if (all.ticks > 0) add_sample(section, all.ticks / static_cast<std::int64_t>(times_.size()), all.work);
}

template <class Real, int width>
void BlockOperator<Real, width>::apply(Vector& out, const Vector& in) {
  const int groups = layout_.groups();
  if (divided()) {
    const Section s{sections_.send,
                    {.bytes_read = message_bytes(0) + message_bytes(1),
                     .bytes_written = message_bytes(0) + message_bytes(1),
                     .messages = messages(0) + messages(1)}};
    for_groups(0, groups, [&](int group, Spin*, ThreadTimes&) { fill_messages(group, in); });
    start(0);
    start(1);
  }
  for_groups(0, groups, [&](int group, Spin* scratch, ThreadTimes& times) {
    for (int p = 0; p < parities; ++p) {
      times.hops.on(hops_work(group), [&] { hops(group, p, scratch, at(in, group, 1 - p)); });
      times.inverse.on(inverse_work(group),
                       [&] { combine(group, p, at(out, group, p), at(in, group, p), -kappa_, scratch); });
    }
  });
  {
    const Section s{sections_.faces};
    for_groups(0, groups, [&](int group, Spin*, ThreadTimes&) { fill_neighbours(group, in); });
  }
  if (divided()) {
    const Section s{sections_.recv};
    wait(0);
    wait(1);
  }
  Work work = faces_work(0);
  work.flop += faces_work(1).flop;
  const Section s{sections_.faces, work};
  for_groups(0, groups, [&](int group, Spin* scratch, ThreadTimes&) { add_ghosts(group, out, -kappa_, scratch); });
}

// Hops inside of blocks, an eighth of the flop of all eight each; of one parity, half of them. Sites that are no site,
// in a group that is not full, and hops that leave the block do not count.
template <class Real, int width>
Work BlockOperator<Real, width>::hops_work(int group) const {
  const int colour = group < layout_.first_group(1) ? 0 : 1;
  const int earlier = (group - layout_.first_group(colour)) * layout_.blocks_in_group();
  const std::int64_t blocks = std::min(layout_.blocks_in_group(), layout_.blocks(colour) - earlier);
  const std::int64_t sites = product(layout_.block());
  std::int64_t hops = 0;
  for (int mu = 0; mu < directions; ++mu) hops += 2 * (sites - sites / layout_.block()[mu]);
  const std::int64_t here = blocks * sites / parities;
  return {.flop = blocks * hops / parities * (hop_flop / 8),
          .bytes_read = here * static_cast<std::int64_t>((8 * 18 + spinor_numbers) * sizeof(Real)),
          .bytes_written = here * static_cast<std::int64_t>(spinor_numbers * sizeof(Real)),
          .precision = sizeof(Real) == sizeof(float) ? Work::Precision::single : Work::Precision::double_};
}

// T^-1 and the 48 flop of base + factor x of one parity.
template <class Real, int width>
Work BlockOperator<Real, width>::inverse_work(int group) const {
  Work work = hops_work(group);
  const int colour = group < layout_.first_group(1) ? 0 : 1;
  const int earlier = (group - layout_.first_group(colour)) * layout_.blocks_in_group();
  const std::int64_t blocks = std::min(layout_.blocks_in_group(), layout_.blocks(colour) - earlier);
  const std::int64_t sites = blocks * product(layout_.block()) / parities;
  work.flop = sites * (vector_flop + (clover_ ? clover_flop : 0));
  work.bytes_read = sites * static_cast<std::int64_t>(((clover_ ? 72 : 0) + 2 * spinor_numbers) * sizeof(Real));
  work.bytes_written = sites * static_cast<std::int64_t>(spinor_numbers * sizeof(Real));
  return work;
}

template <class Real, int width>
Work BlockOperator<Real, width>::faces_work(int colour) const {
  const std::int64_t sites = layout_.sites(colour);
  std::int64_t hops = 0;
  for (int mu = 0; mu < directions; ++mu) hops += 2 * sites / layout_.block()[mu];
  return {.flop = hops * (hop_flop / 8) + sites * (vector_flop + (clover_ ? clover_flop : 0)),
          .precision = sizeof(Real) == sizeof(float) ? Work::Precision::single : Work::Precision::double_};
}

}  // namespace tenken::qcd
