// SPDX-License-Identifier: MIT
// fts(3) stats directories that it lists, also one on which a server is mounted that never answers.
// So who reads with it asks here first whether one may lie in a directory. Used by the file systems
// of linux/ and darwin/; must not touch what it names.
#pragma once

#include <string>
#include <vector>

#include "ffind/plan.h"

namespace ffind::os {

/// Of the directories below the roots on which network volumes are mounted.
std::vector<std::string> names_of_network_volumes(const Task& task);

/// Whether one of `names` is in the open directory `fd`, whose position is kept. 0 or an errno.
int look_for_names(int fd, const std::vector<std::string>& names, bool& found);

}  // namespace ffind::os
