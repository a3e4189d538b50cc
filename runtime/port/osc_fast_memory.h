/* SPDX-License-Identifier: MIT */
/* Places per-frame code and data in fast memory, on machines with a memory that is faster than the
 * rest. A target names the sections that its linker script puts there:
 *
 *   -DOSC_HOT_SECTION=.iwram        functions marked OSC_HOT
 *   -DOSC_HOT_DATA_SECTION=.dtcm    data marked OSC_HOT_DATA, if they lie elsewhere
 *
 * Otherwise the marks are empty. A program may mark its own: players, poses and matrices first.
 * Each function and table has a section of its own, so that the linker drops those that are not
 * used. Their names begin with that of the target's section (.iwram.text.64). Linker scripts that
 * know only that one name, as those of devkitPro do, need -DOSC_HOT_EXACT=1 and GNU's assembler,
 * which then keeps sections of one name apart (for Arm, whose comments begin with @).
 *
 * A codec whose functions are more than the fast memory can hold stays with other code:
 * -DOSC_COLD_CURVE=1, likewise DELTA, TRANSFORM, VELOCITY, SPARSE and DENSE. Generated headers name
 * those of their bank (HERO_COLD_CURVE). */
#ifndef OSC_FAST_MEMORY_H
#define OSC_FAST_MEMORY_H

#if defined(OSC_HOT_SECTION) && defined(__GNUC__)
#ifndef OSC_HOT_DATA_SECTION
#define OSC_HOT_DATA_SECTION OSC_HOT_SECTION
#endif
#define OSC_PLACED_IN(memory, kind, line) __attribute__((section(#memory kind #line)))
#define OSC_PLACED(memory, kind, line) OSC_PLACED_IN(memory, kind, line)
#if defined(OSC_HOT_EXACT) && OSC_HOT_EXACT
#define OSC_HOT OSC_PLACED(OSC_HOT_SECTION, ",\"ax\",%progbits,unique,1", __LINE__ @)
#define OSC_HOT_DATA OSC_PLACED(OSC_HOT_DATA_SECTION, ",\"aw\",%progbits,unique,2", __LINE__ @)
#else
#define OSC_HOT OSC_PLACED(OSC_HOT_SECTION, ".text.", __LINE__)
#define OSC_HOT_DATA OSC_PLACED(OSC_HOT_DATA_SECTION, ".data.", __LINE__)
#endif
#else
#define OSC_HOT
#define OSC_HOT_DATA
#endif

#if defined(OSC_COLD_DELTA)
#define OSC_HOT_DELTA
#else
#define OSC_HOT_DELTA OSC_HOT
#endif
#if defined(OSC_COLD_CURVE)
#define OSC_HOT_CURVE
#else
#define OSC_HOT_CURVE OSC_HOT
#endif
#if defined(OSC_COLD_TRANSFORM)
#define OSC_HOT_TRANSFORM
#else
#define OSC_HOT_TRANSFORM OSC_HOT
#endif
#if defined(OSC_COLD_VELOCITY)
#define OSC_HOT_VELOCITY
#else
#define OSC_HOT_VELOCITY OSC_HOT
#endif
#if defined(OSC_COLD_SPARSE)
#define OSC_HOT_SPARSE
#else
#define OSC_HOT_SPARSE OSC_HOT
#endif
#if defined(OSC_COLD_DENSE)
#define OSC_HOT_DENSE
#else
#define OSC_HOT_DENSE OSC_HOT
#endif
#if defined(OSC_COLD_SPARSE) || defined(OSC_COLD_DENSE) /* both read keys */
#define OSC_HOT_KEYS
#else
#define OSC_HOT_KEYS OSC_HOT
#endif

#endif
