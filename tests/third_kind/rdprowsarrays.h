/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tests/third_kind/rdprowsprivate.h>
