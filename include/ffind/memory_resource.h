// SPDX-License-Identifier: MIT
// Memory resources with the interface and meaning of std::pmr's, which Apple's libc++ has only from
// macOS 14 on; and StackResource, scratch memory on the stack until more is needed.
// Used where names are normalised. There is no default resource to be set: that would be global
// state. Standard C++ only; knows nothing of what is kept in the memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace ffind {

class memory_resource {
 public:
  memory_resource() = default;
  memory_resource(const memory_resource&) = default;
  memory_resource& operator=(const memory_resource&) = default;
  virtual ~memory_resource() = default;

  [[nodiscard]] void* allocate(std::size_t bytes,
                               std::size_t alignment = alignof(std::max_align_t)) {
    return do_allocate(bytes, alignment);
  }
  void deallocate(void* memory, std::size_t bytes,
                  std::size_t alignment = alignof(std::max_align_t)) {
    do_deallocate(memory, bytes, alignment);
  }
  /// Whether what one allocates the other may deallocate.
  bool is_equal(const memory_resource& other) const noexcept { return do_is_equal(other); }

 private:
  virtual void* do_allocate(std::size_t bytes, std::size_t alignment) = 0;
  virtual void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) = 0;
  virtual bool do_is_equal(const memory_resource& other) const noexcept = 0;
};

inline bool operator==(const memory_resource& a, const memory_resource& b) noexcept {
  return &a == &b || a.is_equal(b);
}

/// The heap.
inline memory_resource* new_delete_resource() noexcept {
  class Heap final : public memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
      if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator new(bytes);
      return ::operator new(bytes, std::align_val_t(alignment));
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
      static_cast<void>(bytes);  // sized deletes are not in every library
      if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator delete(memory);
      ::operator delete(memory, std::align_val_t(alignment));
    }
    bool do_is_equal(const memory_resource& other) const noexcept override {
      return this == &other;
    }
  };
  static Heap heap;
  return &heap;
}

/// Hands out memory from a buffer, piece after piece, and from buffers got upstream, each larger
/// than the one before, once that is used up. Nothing is free again before release() or the end.
/// Belongs to one thread.
class monotonic_buffer_resource : public memory_resource {
 public:
  explicit monotonic_buffer_resource(memory_resource* upstream = new_delete_resource())
      : upstream_(upstream) {}
  explicit monotonic_buffer_resource(std::size_t initial_size,
                                     memory_resource* upstream = new_delete_resource())
      : next_size_(std::max<std::size_t>(initial_size, 1)),
        first_size_(next_size_),
        upstream_(upstream) {}
  /// `buffer` is used first; it must live as long as the resource.
  monotonic_buffer_resource(void* buffer, std::size_t size,
                            memory_resource* upstream = new_delete_resource())
      : at_(static_cast<std::byte*>(buffer)),
        left_(size),
        next_size_(grown(size)),
        buffer_(buffer),
        buffer_size_(size),
        first_size_(next_size_),
        upstream_(upstream) {}

  monotonic_buffer_resource(const monotonic_buffer_resource&) = delete;
  monotonic_buffer_resource& operator=(const monotonic_buffer_resource&) = delete;
  ~monotonic_buffer_resource() override { give_back(); }

  /// All memory is free again, and what came from upstream is given back.
  void release() {
    give_back();
    at_ = static_cast<std::byte*>(buffer_);
    left_ = buffer_size_;
    next_size_ = first_size_;
  }

  memory_resource* upstream_resource() const { return upstream_; }

 private:
  struct Block {
    Block* before;
    std::size_t size;
    std::size_t alignment;
  };
  static constexpr std::size_t least_size = 128 * sizeof(void*);

  static std::size_t grown(std::size_t size) {
    const bool room = size <= std::numeric_limits<std::size_t>::max() / 2;
    return std::max(room ? 2 * size : size, least_size);
  }

  /// From what is left, or null.
  void* take(std::size_t bytes, std::size_t alignment) {
    const auto address = reinterpret_cast<std::uintptr_t>(at_);
    const std::size_t skipped = (alignment - address % alignment) % alignment;
    if (at_ == nullptr || skipped > left_ || bytes > left_ - skipped) return nullptr;
    void* const memory = at_ + skipped;
    at_ += skipped + bytes;
    left_ -= skipped + bytes;
    return memory;
  }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    bytes = std::max<std::size_t>(bytes, 1);  // two pieces never have one address
    if (void* const memory = take(bytes, alignment)) return memory;
    get_block(bytes, alignment);
    return take(bytes, alignment);
  }

  void do_deallocate(void* /*memory*/, std::size_t /*bytes*/, std::size_t /*alignment*/) override {}
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  /// The block is as aligned as the piece, which begins at the first such place behind the head.
  void get_block(std::size_t bytes, std::size_t alignment) {
    alignment = std::max(alignment, alignof(Block));
    const std::size_t head = (sizeof(Block) + alignment - 1) / alignment * alignment;
    if (bytes > std::numeric_limits<std::size_t>::max() - head) throw std::bad_alloc();
    const std::size_t size = std::max(next_size_, head + bytes);
    void* const memory = upstream_->allocate(size, alignment);
    blocks_ = new (memory) Block{blocks_, size, alignment};
    at_ = static_cast<std::byte*>(memory) + sizeof(Block);
    left_ = size - sizeof(Block);
    next_size_ = grown(size);
  }

  void give_back() {
    while (blocks_ != nullptr) {
      const Block block = *blocks_;
      upstream_->deallocate(blocks_, block.size, block.alignment);
      blocks_ = block.before;
    }
  }

  std::byte* at_ = nullptr;
  std::size_t left_ = 0;
  std::size_t next_size_ = least_size;
  void* buffer_ = nullptr;
  std::size_t buffer_size_ = 0;
  std::size_t first_size_ = least_size;
  Block* blocks_ = nullptr;
  memory_resource* upstream_;
};

/// What containers take: a resource in the shape of an allocator. Containers that are copied take
/// the heap, those that are moved keep theirs, and no assignment changes one.
template <typename T = std::byte>
class polymorphic_allocator {
 public:
  using value_type = T;

  polymorphic_allocator() noexcept : resource_(new_delete_resource()) {}
  // Implicit, as that of the standard: a container is given a resource.
  polymorphic_allocator(memory_resource* resource) noexcept  // NOLINT
      : resource_(resource) {}
  polymorphic_allocator(const polymorphic_allocator&) = default;
  template <typename U>
  polymorphic_allocator(const polymorphic_allocator<U>& other) noexcept  // NOLINT
      : resource_(other.resource()) {}
  polymorphic_allocator& operator=(const polymorphic_allocator&) = delete;

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    return static_cast<T*>(resource_->allocate(count * sizeof(T), alignof(T)));
  }
  void deallocate(T* memory, std::size_t count) {
    resource_->deallocate(memory, count * sizeof(T), alignof(T));
  }

  /// What takes an allocator gets this one: a list of strings has its letters here too. Unlike
  /// std::pmr's, not inside of a pair.
  template <typename U, typename... Arguments>
  void construct(U* object, Arguments&&... arguments) {
    void* const at = object;
    if constexpr (!std::uses_allocator_v<U, polymorphic_allocator>) {
      new (at) U(std::forward<Arguments>(arguments)...);
    } else if constexpr (std::is_constructible_v<U, std::allocator_arg_t,
                                                 const polymorphic_allocator&, Arguments...>) {
      new (at) U(std::allocator_arg, *this, std::forward<Arguments>(arguments)...);
    } else {
      new (at) U(std::forward<Arguments>(arguments)..., *this);
    }
  }

  template <typename U, typename... Arguments>
  [[nodiscard]] U* new_object(Arguments&&... arguments) {
    polymorphic_allocator<U> allocator(resource_);
    U* const object = allocator.allocate(1);
    try {
      allocator.construct(object, std::forward<Arguments>(arguments)...);
      return object;
    } catch (...) {
      allocator.deallocate(object, 1);
      throw;
    }
  }
  template <typename U>
  void delete_object(U* object) {
    object->~U();
    polymorphic_allocator<U>(resource_).deallocate(object, 1);
  }

  polymorphic_allocator select_on_container_copy_construction() const { return {}; }
  memory_resource* resource() const { return resource_; }

 private:
  memory_resource* resource_;
};

template <typename T, typename U>
bool operator==(const polymorphic_allocator<T>& a, const polymorphic_allocator<U>& b) noexcept {
  return *a.resource() == *b.resource();
}

/// The buffer of a StackResource: a base, so that it is there before the resource that uses it.
template <std::size_t Bytes>
struct StackBuffer {
  // Not initialised: zeroing it would cost more than what most names need of it.
  alignas(std::max_align_t) std::byte bytes[Bytes];
};

/// `Bytes` of memory and the resource that hands them out, then the heap's: made as a local
/// variable, it is scratch memory on the stack that cannot run out.
template <std::size_t Bytes>
class StackResource final : private StackBuffer<Bytes>, public monotonic_buffer_resource {
 public:
  explicit StackResource(memory_resource* upstream = new_delete_resource())
      : monotonic_buffer_resource(StackBuffer<Bytes>::bytes, Bytes, upstream) {}
};

}  // namespace ffind
