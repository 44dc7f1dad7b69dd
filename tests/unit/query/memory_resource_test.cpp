// SPDX-License-Identifier: MIT
// Memory resources: what they hand out, when they turn upstream, and that they do what std::pmr's
// do wherever that exists.
#include "ffind/memory_resource.h"

#include <cstdint>
#include <cstring>
#include <list>
#include <new>
#include <string>
#include <utility>
#include <vector>
#if __has_include(<memory_resource>)
#include <memory_resource>
#endif

#include "catch.h"

namespace memory_resource_test {

namespace {

/// The heap, counted; everything must come back as it was taken.
template <typename Resource>
class Counting final : public Resource {
 public:
  unsigned taken = 0;
  unsigned given_back = 0;
  std::size_t bytes = 0;

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    ++taken;
    bytes += size;
    return ::operator new(size, std::align_val_t(alignment));
  }
  void do_deallocate(void* memory, std::size_t size, std::size_t alignment) override {
    ++given_back;
    bytes -= size;
    ::operator delete(memory, std::align_val_t(alignment));
  }
  bool do_is_equal(const Resource& other) const noexcept override { return this == &other; }
};

struct Ours {
  using Resource = ffind::memory_resource;
  using Monotonic = ffind::monotonic_buffer_resource;
  template <typename T>
  using Allocator = ffind::polymorphic_allocator<T>;
  static Resource* heap() { return ffind::new_delete_resource(); }
};

bool is_aligned(const void* memory, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0;
}

template <typename Library>
void hand_out_aligned_memory() {
  alignas(64) std::byte buffer[1024];
  Counting<typename Library::Resource> upstream;
  typename Library::Monotonic resource(buffer, sizeof buffer, &upstream);
  const std::byte* end = buffer;
  for (const std::size_t alignment : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 1U, 16U}) {
    auto* const memory = static_cast<std::byte*>(resource.allocate(3, alignment));
    CHECK(is_aligned(memory, alignment));
    CHECK(memory >= end);
    end = memory + 3;
    std::memset(memory, 0x55, 3);
  }
  CHECK(end <= buffer + sizeof buffer);
  CHECK(upstream.taken == 0);
}

template <typename Library>
void turn_upstream_when_the_buffer_is_used_up() {
  std::byte buffer[64];
  Counting<typename Library::Resource> upstream;
  {
    typename Library::Monotonic resource(buffer, sizeof buffer, &upstream);
    CHECK(resource.allocate(64, 1) == buffer);
    CHECK(upstream.taken == 0);
    std::memset(resource.allocate(1, 1), 1, 1);
    CHECK(upstream.taken == 1);
    for (int i = 0; i < 1000; ++i) std::memset(resource.allocate(100, 8), 1, 100);
    CHECK(upstream.taken < 20);  // each block is larger than the one before
    std::memset(resource.allocate(1 << 20, 4096), 1, 1 << 20);
    CHECK(upstream.given_back == 0);
  }
  CHECK(upstream.taken == upstream.given_back);
  CHECK(upstream.bytes == 0);
}

template <typename Library>
void begin_anew_after_release() {
  std::byte buffer[64];
  Counting<typename Library::Resource> upstream;
  typename Library::Monotonic resource(buffer, sizeof buffer, &upstream);
  for (unsigned round = 1; round <= 3; ++round) {
    CHECK(resource.allocate(40, 1) == buffer);
    static_cast<void>(resource.allocate(40, 1));
    CHECK(upstream.taken == round);
    resource.release();
    CHECK(upstream.given_back == round);
  }
}

template <typename Library>
void free_nothing_on_deallocate() {
  std::byte buffer[64];
  Counting<typename Library::Resource> upstream;
  typename Library::Monotonic resource(buffer, sizeof buffer, &upstream);
  void* const first = resource.allocate(32, 1);
  resource.deallocate(first, 32, 1);
  CHECK(resource.allocate(32, 1) != first);
  CHECK(upstream.taken == 0);
}

template <typename Library>
void give_pieces_of_no_size_an_address_of_their_own() {
  std::byte buffer[64];
  typename Library::Monotonic resource(buffer, sizeof buffer);
  void* const first = resource.allocate(0, 1);
  CHECK(first != nullptr);
  CHECK(first != resource.allocate(0, 1));
}

template <typename Library>
void serve_containers() {
  std::byte buffer[4096];
  Counting<typename Library::Resource> upstream;
  {
    typename Library::Monotonic resource(buffer, sizeof buffer, &upstream);
    using Vector = std::vector<int, typename Library::template Allocator<int>>;
    Vector numbers(&resource);
    for (int i = 0; i < 100; ++i) numbers.push_back(i);
    CHECK(upstream.taken == 0);

    const int* const there = numbers.data();
    Vector moved(std::move(numbers));
    CHECK(moved.data() == there);
    CHECK(moved.get_allocator().resource() == &resource);

    // To another resource memory cannot move, only what is in it.
    Vector elsewhere(Library::heap());
    elsewhere = std::move(moved);
    CHECK(elsewhere.size() == 100);
    CHECK(elsewhere.data() != there);
    CHECK(elsewhere.get_allocator().resource() == Library::heap());

    Vector source(3, 7, &resource);
    const Vector copy(source);
    CHECK(copy == source);
    CHECK(copy.get_allocator().resource() != &resource);

    using Text =
        std::basic_string<char, std::char_traits<char>, typename Library::template Allocator<char>>;
    std::list<Text, typename Library::template Allocator<Text>> texts(&resource);
    texts.emplace_back("longer than what a string keeps in itself");
    CHECK(texts.front().get_allocator().resource() == &resource);
    CHECK(upstream.taken == 0);
  }
  CHECK(upstream.bytes == 0);
}

template <typename Library>
void be_equal_to_nothing_but_themselves() {
  std::byte buffer[16];
  typename Library::Monotonic a(buffer, sizeof buffer);
  typename Library::Monotonic b(buffer, sizeof buffer);
  CHECK(a == a);
  CHECK_FALSE(a == b);
  CHECK_FALSE(a.is_equal(*Library::heap()));
  CHECK(*Library::heap() == *Library::heap());
  CHECK(a.upstream_resource() == Library::heap());
  using Allocator = typename Library::template Allocator<int>;
  CHECK(Allocator(&a) == Allocator(&a));
  CHECK_FALSE(Allocator(&a) == Allocator(&b));
  CHECK(Allocator().resource() == Library::heap());
}

template <typename Library>
void refuse_what_is_too_large() {
  std::byte buffer[64];
  typename Library::Monotonic resource(buffer, sizeof buffer);
  typename Library::template Allocator<std::uint64_t> allocator(&resource);
  constexpr auto most = static_cast<std::size_t>(-1);
  CHECK_THROWS_AS(static_cast<void>(allocator.allocate(most)), std::bad_array_new_length);
  CHECK_THROWS_AS(static_cast<void>(allocator.allocate(most / 8 + 1)), std::bad_alloc);
  CHECK(resource.allocate(64, 1) == buffer);  // still as good as new
}

template <typename Library>
void make_and_end_objects() {
  std::byte buffer[256];
  Counting<typename Library::Resource> upstream;
  typename Library::Monotonic resource(buffer, sizeof buffer, &upstream);
  typename Library::template Allocator<char> allocator(&resource);
  auto* const text = allocator.template new_object<std::string>(40U, 'x');
  CHECK(text->size() == 40);
  allocator.delete_object(text);
  CHECK(upstream.taken == 0);
}

template <typename Library>
void do_what_pmr_does() {
  hand_out_aligned_memory<Library>();
  turn_upstream_when_the_buffer_is_used_up<Library>();
  begin_anew_after_release<Library>();
  free_nothing_on_deallocate<Library>();
  give_pieces_of_no_size_an_address_of_their_own<Library>();
  serve_containers<Library>();
  be_equal_to_nothing_but_themselves<Library>();
  refuse_what_is_too_large<Library>();
  make_and_end_objects<Library>();
}

}  // namespace

TEST_CASE("memory resources do what std::pmr's do") {
  do_what_pmr_does<Ours>();
}

#ifdef __cpp_lib_polymorphic_allocator
namespace {
struct Standard {
  using Resource = std::pmr::memory_resource;
  using Monotonic = std::pmr::monotonic_buffer_resource;
  template <typename T>
  using Allocator = std::pmr::polymorphic_allocator<T>;
  static Resource* heap() { return std::pmr::new_delete_resource(); }
};
}  // namespace

TEST_CASE("std::pmr's memory resources pass the tests of ours") {
  do_what_pmr_does<Standard>();
}
#endif

TEST_CASE("more than there is of memory is refused, not wrapped round") {
  Counting<ffind::memory_resource> upstream;
  ffind::monotonic_buffer_resource resource(&upstream);
  constexpr auto most = static_cast<std::size_t>(-1);
  for (const std::size_t bytes : {most, most - 1, most - 30}) {
    CHECK_THROWS_AS(static_cast<void>(resource.allocate(bytes, 16)), std::bad_alloc);
  }
  CHECK(upstream.taken == 0);
}

TEST_CASE("a first block is as large as was asked for") {
  Counting<ffind::memory_resource> upstream;
  ffind::monotonic_buffer_resource resource(10000, &upstream);
  for (int i = 0; i < 90; ++i) static_cast<void>(resource.allocate(100, 1));
  CHECK(upstream.taken == 1);
  CHECK(upstream.bytes == 10000);
}

TEST_CASE("a StackResource is its own memory first") {
  Counting<ffind::memory_resource> upstream;
  ffind::StackResource<256> resource(&upstream);
  const auto* const begin = reinterpret_cast<const std::byte*>(&resource);
  const auto* const memory = static_cast<std::byte*>(resource.allocate(256, 16));
  CHECK(memory >= begin);
  CHECK(memory + 256 <= begin + sizeof resource);
  CHECK(upstream.taken == 0);
  static_cast<void>(resource.allocate(1, 1));
  CHECK(upstream.taken == 1);
  resource.release();
  CHECK(resource.allocate(256, 16) == memory);
}

TEST_CASE("the heap's resource honours every alignment") {
  ffind::memory_resource& heap = *ffind::new_delete_resource();
  for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    void* const memory = heap.allocate(3, alignment);
    CHECK(is_aligned(memory, alignment));
    heap.deallocate(memory, 3, alignment);
  }
}

}  // namespace memory_resource_test
