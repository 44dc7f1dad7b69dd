// SPDX-License-Identifier: MIT
// Stacks of threads: musl gives 128 KiB, too little for deep expressions, unless the program asks
// for more.
#include <pthread.h>

#include <cstddef>
#include <thread>

#include "catch.h"

namespace ffind::thread_stack_test {

TEST_CASE("a thread has a stack of at least a MiB with any C library") {
  std::size_t size = 0;
  std::thread([&] {
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
    ::pthread_attr_getstacksize(&attributes, &size);
    ::pthread_attr_destroy(&attributes);
  }).join();
  CHECK(size >= std::size_t{1} << 20U);
}

}  // namespace ffind::thread_stack_test
