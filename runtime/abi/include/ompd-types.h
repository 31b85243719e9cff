/*
 * ompd-types.h: numbers of OMPD that name devices and native threads, OpenMP 5.0 to 6.0.
 *
 * Part of Omphalos; written for it from the names and numbers of the OpenMP API specification.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 */
#ifndef OMPHALOS_OMPD_TYPES_H
#define OMPHALOS_OMPD_TYPES_H

#include <stdint.h>

#define OMPD_TYPES_VERSION 20180906

#define OMPD_THREAD_ID_PTHREAD 0
#define OMPD_THREAD_ID_LWP 1
#define OMPD_THREAD_ID_WINTHREAD 2
#define OMPD_THREAD_ID_CUDALOGICAL 3
#define OMPD_THREAD_ID_LO 1000000
#define OMPD_THREAD_ID_HI 1100000

#define OMPD_SEGMENT_UNSPECIFIED 0

#define OMPD_DEVICE_KIND_HOST 1
#define OMPD_DEVICE_KIND_CUDA 2
#define OMPD_DEVICE_IMPL_LO 1000000
#define OMPD_DEVICE_IMPL_HI 1100000

#endif
