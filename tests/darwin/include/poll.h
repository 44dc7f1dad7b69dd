// SPDX-License-Identifier: MIT
// <poll.h>: poll is the simulated kernel's, which answers as kevents do.
#pragma once

#include "darwin_call.h"

#define poll ffind_linux_poll
#include_next <poll.h>
#undef poll

extern "C" {
int poll(struct pollfd* descriptors, nfds_t count, int milliseconds) DARWIN_CALL(poll);
}
