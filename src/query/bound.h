// SPDX-License-Identifier: MIT
// Bounds put together: of tests that must all hold, or one of which must. Used by the bound of an
// expression and by tests that are made of several patterns. Pure.
#pragma once

#include "ffind/bound.h"

namespace ffind::query {

/// What satisfies both satisfies this.
Bound meet(Bound a, const Bound& b);

/// What satisfies one of them satisfies this.
Bound join(Bound a, const Bound& b);

}  // namespace ffind::query
