// SPDX-License-Identifier: MIT
// How the headers of this folder give a call of Linux's C library Darwin's declaration: Linux's own
// is hidden under another name while its header is read, and Darwin's is bound to the simulated
// kernel's symbol. Included by those headers only, which are used as system headers.
#pragma once

#define DARWIN_CALL(name) __asm__("darwin_" #name)
