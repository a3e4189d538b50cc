/* The exactly rounded integer square root behind the dropped quaternion component. */
#include "osc_count.h"
#include "osc_fixed.h"

/* round(2^29 / sqrt((i + 64.5) * 2^20)): the reciprocal root at the middle of each of the 192
 * steps that the leading eight bits of a normalised n can take. */
static const uint16_t reciprocal_root[192] = {
    65281, 64781, 64292, 63814, 63347, 62889, 62442, 62004, 61575, 61154,
    60742, 60339, 59943, 59555, 59175, 58801, 58435, 58075, 57722, 57376,
    57035, 56700, 56372, 56049, 55731, 55419, 55112, 54810, 54513, 54221,
    53933, 53650, 53371, 53097, 52826, 52560, 52298, 52040, 51785, 51535,
    51288, 51044, 50804, 50567, 50333, 50103, 49876, 49652, 49430, 49212,
    48997, 48784, 48574, 48367, 48163, 47961, 47761, 47564, 47370, 47178,
    46988, 46800, 46615, 46432, 46251, 46072, 45895, 45720, 45547, 45376,
    45207, 45040, 44875, 44711, 44550, 44390, 44232, 44075, 43920, 43767,
    43615, 43465, 43316, 43169, 43024, 42879, 42737, 42595, 42456, 42317,
    42180, 42044, 41910, 41776, 41644, 41514, 41384, 41256, 41129, 41003,
    40878, 40754, 40631, 40510, 40390, 40270, 40152, 40035, 39919, 39803,
    39689, 39576, 39464, 39352, 39242, 39133, 39024, 38916, 38810, 38704,
    38599, 38494, 38391, 38289, 38187, 38086, 37986, 37887, 37788, 37690,
    37593, 37497, 37401, 37307, 37213, 37119, 37027, 36935, 36843, 36753,
    36663, 36573, 36485, 36397, 36309, 36222, 36136, 36051, 35966, 35882,
    35798, 35715, 35632, 35550, 35469, 35388, 35307, 35228, 35148, 35070,
    34991, 34914, 34837, 34760, 34684, 34608, 34533, 34458, 34384, 34310,
    34237, 34164, 34092, 34020, 33949, 33878, 33807, 33737, 33668, 33599,
    33530, 33461, 33393, 33326, 33259, 33192, 33126, 33060, 32994, 32929,
    32864, 32800};

uint32_t osc_root_q20(uint32_t n_q28)
{
    if (n_q28 == 0u)
        return 0u;
    if (n_q28 >= (1u << 28))
        return 1u << 20;
    uint32_t halvings = (osc_leading_zeros(n_q28) - 4u) >> 1, n = n_q28 << (2u * halvings);

    /* Two Newton steps with the table's reciprocal. The first works on 2 * sqrt(n), whose square
     * fits 32 bits; after it the error is at most 25 units, so that the residual of the second
     * fits 32 bits although its operands do not. */
    int32_t reciprocal = (int32_t)reciprocal_root[(n >> 20) - 64u];
    uint32_t coarse = (((n >> 12) * (uint32_t)reciprocal) >> 11) >> 5;
    int32_t residual = (int32_t)(4u * n - coarse * coarse);
    uint32_t root = (coarse << 5) + (uint32_t)(((residual >> 8) * reciprocal) >> 18);
    residual = (int32_t)((n << 12) - root * root);
    root += (uint32_t)(((residual >> 12) * reciprocal + (1 << 23)) >> 24);
    if (halvings != 0u)
        root = (root + ((1u << halvings) >> 1)) >> halvings;

    /* The root is now within one of the nearest integer, and the sign of (root +- 1/2)^2 - n,
     * taken modulo 2^32, says which way. */
    residual = (int32_t)((n_q28 << 12) - root * root);
    if (residual > (int32_t)root)
        root++;
    else if (residual <= -(int32_t)root)
        root--;
    return root;
}

int32_t osc_rebuild_q20(int32_t a, int32_t b, int32_t c)
{
    /* x = h * 2^10 + l: x^2 = h^2 * 2^20 + h*l * 2^11 + l^2, summed and divided by 2^12. */
    uint32_t ah = (uint32_t)(a >> 10), al = (uint32_t)a & 1023u;
    uint32_t bh = (uint32_t)(b >> 10), bl = (uint32_t)b & 1023u;
    uint32_t ch = (uint32_t)(c >> 10), cl = (uint32_t)c & 1023u;
    uint32_t high = ah * ah + bh * bh + ch * ch;
    uint32_t mixed = ah * al + bh * bl + ch * cl;
    uint32_t low = al * al + bl * bl + cl * cl;
    uint32_t squares = (high << 8) + (uint32_t)((int32_t)(mixed + ((low + 2048u) >> 11)) >> 1);
    uint32_t n_q28 = (1u << 28) - squares;
    return (int32_t)osc_root_q20(n_q28 > (1u << 28) ? 0u : n_q28);
}
