/* SPDX-License-Identifier: MIT */
/* The weights of the transform codec's basis, Q10.
 *
 * For each segment length 2 .. 8 and each inner frame: the chord's weight, then those of the
 * length - 1 coefficients: (1 - x^2) times the Legendre polynomials of x = -1 .. 1, orthogonalised
 * over the inner frames in their order, with mean square 1 over the length, so that the rounding of
 * a coefficient has the same weight at any order.
 */
#include "codecs/osc_transform_arithmetic.h"

/* clang-format off */
const int16_t osc_transform_weights[168] = {
    /* 2 */
    512, 1448,
    /* 3 */
    341, 1254, -1254,
    683, 1254, 1254,
    /* 4 */
    256, 1054, -1448, 993,
    512, 1405, 0, -1490,
    768, 1054, 1448, 993,
    /* 5 */
    205, 898, -1448, 1347, -724,
    410, 1347, -724, -898, 1448,
    614, 1347, 724, -898, -1448,
    819, 898, 1448, 1347, 724,
    /* 6 */
    171, 779, -1385, 1514, -1108, 496,
    341, 1247, -1108, -236, 1385, -1239,
    512, 1403, 0, -1263, 0, 1652,
    683, 1247, 1108, -236, -1385, -1239,
    853, 779, 1385, 1514, 1108, 496,
    /* 7 */
    146, 687, -1303, 1580, -1366, 837, -324,
    293, 1145, -1303, 300, 1014, -1506, 971,
    439, 1374, -521, -1040, 881, 837, -1619,
    585, 1374, 521, -1040, -881, 837, 1619,
    731, 1145, 1303, 300, -1014, -1506, -971,
    878, 687, 1303, 1580, 1366, 837, 324,
    /* 8 */
    128, 614, -1220, 1591, -1534, 1116, -594, 204,
    256, 1052, -1395, 700, 573, -1445, 1386, -715,
    384, 1315, -872, -646, 1230, -63, -1386, 1430,
    512, 1402, 0, -1230, 0, 1310, 0, -1787,
    640, 1315, 872, -646, -1230, -63, 1386, 1430,
    768, 1052, 1395, 700, -573, -1445, -1386, -715,
    896, 614, 1220, 1591, 1534, 1116, 594, 204,
};
/* clang-format on */
