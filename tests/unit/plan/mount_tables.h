// SPDX-License-Identifier: MIT
// The mount tables of tests/data/mountinfo, decoded, and short ways to say where roots lie in them.
// Used by the tests of plan and of the decoder.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "ffind/plan.h"
#include "os/formats/mount_tables.h"
#include "unit/source_text.h"

namespace ffind::testing {

inline std::string mountinfo(const std::string& name) {
  std::ifstream file(source_directory() + "/tests/data/mountinfo/" + name, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (text.empty()) throw std::runtime_error("no such mount table: " + name);
  return text;
}

inline MountTable mounts_of(const std::string& name) {
  return os::parse_mountinfo(mountinfo(name));
}

inline Scope crossing(bool network = false) {
  Scope scope;
  scope.cross_volumes = true;
  scope.network = network;
  return scope;
}

inline Scope to_depth(std::uint32_t depth, Scope scope = {}) {
  scope.max_depth = depth;
  return scope;
}

/// A probed directory; its volume is for the table to tell.
inline Location directory(std::string typed, std::string canonical) {
  Location location;
  location.typed = std::move(typed);
  location.canonical = std::move(canonical);
  location.type = FileType::directory;
  location.probed = true;
  return location;
}

inline Location directory(const std::string& path) {
  return directory(path, path);
}

inline Location file(std::string typed, std::string canonical) {
  Location location = directory(std::move(typed), std::move(canonical));
  location.type = FileType::file;
  return location;
}

inline Location link(std::string typed, std::string own_path, std::string target) {
  Location location = file(std::move(typed), std::move(target));
  location.link = std::move(own_path);
  return location;
}

inline Machine linux_machine() {
  return {.processors = 8, .readers = {Reader::getdents, Reader::readdir, Reader::fts}};
}

inline Machine mac_machine() {
  return {.processors = 8, .readers = {Reader::bulk, Reader::readdir, Reader::fts}};
}

/// "printed canonical depth" of every root, task by task.
inline std::vector<std::string> roots_of(const Plan& plan) {
  std::vector<std::string> roots;
  for (const Task& task : plan.tasks) {
    for (const Root& root : task.roots) {
      roots.push_back(root.printed + " " + root.canonical + " " + std::to_string(root.depth));
    }
  }
  return roots;
}

/// The boundary at `path`, made to be told apart from a real one where there is none.
inline Boundary boundary_at(const Plan& plan, const std::string& path) {
  for (const Task& task : plan.tasks) {
    for (const Boundary& boundary : task.boundaries) {
      if (boundary.path == path) return boundary;
    }
  }
  return {.path = "no boundary at " + path};
}

}  // namespace ffind::testing
