// SPDX-License-Identifier: MIT
// Orderings: entries that come in parts end up in the same order as all of them at once.
#include "pick/order.h"

#include <algorithm>
#include <array>

#include "catch.h"
#include "random.h"
#include "unit/pick/pick_harness.h"

namespace order_test {

using namespace ffind;
using namespace ffind::pick;

namespace {

constexpr std::array all_orders = {PickOrder::name, PickOrder::path, PickOrder::size,
                                   PickOrder::modified};

std::vector<EntryId> ids_between(EntryId begin, EntryId end) {
  std::vector<EntryId> ids;
  for (EntryId id = begin; id < end; ++id) ids.push_back(id);
  return ids;
}

EntrySet set_of(const std::vector<EntryId>& ids) {
  EntrySet set;
  for (const EntryId id : ids) set.add(id);
  return set;
}

}  // namespace

TEST_CASE("an ordering that grows in parts is the one that is sorted at once") {
  const Ordering::Stop stop = [] { return false; };
  NarrowedStore picker;
  constexpr EntryId count = 3000;
  for (EntryId id = 0; id < count; ++id) {
    Metadata metadata{};
    metadata.size = id * 7919 % 101;
    metadata.modified = {0, static_cast<std::int32_t>(id * 104729 % 997 << 10U)};
    const bool known = id % 5 != 0;
    picker.offering.offer("dir" + std::to_string(id * 31 % 17) + "/file" +
                              std::to_string(id % 700) + "." + std::to_string(id),
                          known ? needs::size | needs::modified : needs::none, metadata);
  }
  picker.offering.flush();
  for (const PickOrder order : all_orders) {
    Ordering at_once(*picker.store, order);
    at_once.add(ids_between(0, count), stop);
    Ordering in_parts(*picker.store, order);
    for (const EntryId end : {2000U, 2100U, 2101U, 2600U, count}) {
      in_parts.add(ids_between(0, end), stop);
    }
    const EntrySet all = set_of(ids_between(0, count));
    for (const bool reversed : {false, true}) {
      CHECK(at_once.filter(all, count, reversed) == in_parts.filter(all, count, reversed));
    }
  }
}

TEST_CASE("an ordering gives what is wanted, unknown values last either way") {
  const Ordering::Stop stop = [] { return false; };
  NarrowedStore picker;
  const auto offer = [&](const char* path, std::uint64_t size) {
    Metadata metadata{};
    metadata.size = size;
    picker.offering.offer(path, needs::size, metadata);
  };
  offer("big", 30);
  picker.offering.offer("unknown");
  offer("small", 10);
  offer("equal/b", 20);
  offer("equal/a", 20);
  picker.offering.flush();
  Ordering by_size(*picker.store, PickOrder::size);
  by_size.add(ids_between(0, 5), stop);
  const EntrySet all = set_of(ids_between(0, 5));
  CHECK(by_size.filter(all, 5, false) == std::vector<EntryId>{2, 4, 3, 0, 1});
  CHECK(by_size.filter(all, 5, true) == std::vector<EntryId>{0, 4, 3, 2, 1});
  CHECK(by_size.filter(set_of({3, 0}), 2, false) == std::vector<EntryId>{3, 0});
}

}  // namespace order_test
