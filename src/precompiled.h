// SPDX-License-Identifier: MIT
// What most files include anyway, parsed once for all rooms: half a second of each. Standard C++
// only, since fmt would double its size, and so what each file pays to load it. A file still
// includes what it uses: .ci/run lints without this one.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>
