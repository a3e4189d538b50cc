/* Where code and data lie that every frame of play needs, on machines with a memory that is faster
 * than the rest. A target names the sections that its linker script puts there:
 *
 *   -DOSC_HOT_SECTION=.iwram        functions marked OSC_HOT
 *   -DOSC_HOT_DATA_SECTION=.dtcm    data marked OSC_HOT_DATA, if they lie elsewhere
 *
 * Otherwise the marks are empty. A program may mark its own: players, poses and matrices first.
 * Each function and table has a section of its own, so that the linker drops those that nobody
 * uses. */
#ifndef OSC_PLACE_H
#define OSC_PLACE_H

#if defined(OSC_HOT_SECTION) && defined(__GNUC__)
#ifndef OSC_HOT_DATA_SECTION
#define OSC_HOT_DATA_SECTION OSC_HOT_SECTION
#endif
#define OSC_PLACED_IN(memory, kind, line) __attribute__((section(#memory kind #line)))
#define OSC_PLACED(memory, kind, line) OSC_PLACED_IN(memory, kind, line)
#define OSC_HOT OSC_PLACED(OSC_HOT_SECTION, ".text.", __LINE__)
#define OSC_HOT_DATA OSC_PLACED(OSC_HOT_DATA_SECTION, ".data.", __LINE__)
#else
#define OSC_HOT
#define OSC_HOT_DATA
#endif

#endif
