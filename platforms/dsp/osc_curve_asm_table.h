/* The table of the loop of osc_curve_asm.h: where to jump, and behind that the codes, by parameter.
 */
#ifndef OSC_CURVE_ASM_TABLE_H
#define OSC_CURVE_ASM_TABLE_H

/* clang-format off */
/* A parameter's codes: length in bits 0..7, or more than there can be; change of what is kept of the
 * parameter in bits 8..23; eight times the number, and four, in bits 24..31. */
#define OSC_CURVE_ASM_ROW \
    "    .macro osc_curve_row k, less, one, two, more\n" \
    "    .set .Lcurve_i, 0\n" \
    "    .rept 1 << OSC_CURVE_INDEX_BITS\n" \
    "    .set .Lcurve_ones, 0\n" \
    "    .irp ones, 1, 2, 3, 4, 5, 6, 7\n" \
    "    .if (.Lcurve_i & ((1 << \\ones) - 1)) == (1 << \\ones) - 1\n" \
    "    .set .Lcurve_ones, \\ones\n" \
    "    .endif\n" \
    "    .endr\n" \
    "    .if .Lcurve_ones + 1 + \\k > OSC_CURVE_INDEX_BITS\n" \
    "    .word 255\n" \
    "    .else\n" \
    "    .set .Lcurve_zigzag, (.Lcurve_ones << \\k) | ((.Lcurve_i >> (.Lcurve_ones + 1)) & ((1 << \\k) - 1))\n" \
    "    .set .Lcurve_coded, (.Lcurve_zigzag >> 1) ^ -(.Lcurve_zigzag & 1)\n" \
    "    .set .Lcurve_change, \\more\n" \
    "    .if .Lcurve_ones == 0\n" \
    "    .set .Lcurve_change, \\less\n" \
    "    .elseif .Lcurve_ones == 1\n" \
    "    .set .Lcurve_change, \\one\n" \
    "    .elseif .Lcurve_ones == 2\n" \
    "    .set .Lcurve_change, \\two\n" \
    "    .endif\n" \
    "    .set .Lcurve_change, (.Lcurve_change << OSC_CURVE_INDEX_BITS) & 0xffff\n" \
    "    .word (((8 * .Lcurve_coded + 4) & 255) << 24) | (.Lcurve_change << 8) | (.Lcurve_ones + 1 + \\k)\n" \
    "    .endif\n" \
    "    .set .Lcurve_i, .Lcurve_i + 1\n" \
    "    .endr\n" \
    "    .endm\n"

/* The table. */
#define OSC_CURVE_ASM_TABLE \
    "    .balign 4\n" \
    ".Lcurve_table:\n" \
    "    .irp kind, 0, 1, 2, 3, 4, 5, 6, 7, 8\n" \
    "    .word .Lcurve_point_0_\\kind + 1\n" \
    "    .endr\n" \
    "    .word .Lcurve_leave + 1, .Lcurve_copy + 1\n" \
    "    .irp mask, 1, 2, 3, 4, 5\n" \
    "    .word .Lcurve_section_\\mask + 1\n" \
    "    .endr\n" \
    "    .irp packing, 0, 1, 2, 3\n" \
    "    .word .Lcurve_packing_\\packing + 1\n" \
    "    .endr\n" \
    "    .rept 8\n" \
    "    .word .Lcurve_turn + 1\n" \
    "    .endr\n" \
    "    .word .Lcurve_section_6 + 1\n" \
    "    .word .Lcurve_vector + 1\n" \
    "    .word .Lcurve_section_7 + 1\n" \
    "    .word .Lcurve_four + 1\n" \
    "    .word osc_curve_reciprocal\n" \
    "    .byte 11, 11, 12, 13, 14, 15, 28, 30\n" \
    "    .space (4 << OSC_CURVE_INDEX_BITS) - 140\n" \
    "    osc_curve_row 0, 0, 0, 2, 4\n" \
    "    .irp k, 0, 1, 2, 3, 4, 5, 6\n" \
    "    .if \\k < OSC_CURVE_TABLE_ROWS\n" \
    "    osc_curve_row \\k, -1, 0, 1, 3\n" \
    "    .endif\n" \
    "    .endr\n" \
    "    .rept 1 << OSC_CURVE_INDEX_BITS\n" \
    "    .word 255\n" \
    "    .endr\n" \
    ".Lcurve_end:\n" \
    "    pop {r7}\n"
/* clang-format on */

#endif
