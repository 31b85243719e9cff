/*
 * ompt.h: the name under which some tools look for OMPT; see omp-tools.h.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 */
#include "omp-tools.h"
