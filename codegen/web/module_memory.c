#include "module_memory.h"

#define PAGE_BYTES 65536u

extern unsigned char __heap_base; /* the linker's: the end of the stack and the data */
static uintptr_t reserved;

void *reserve(uint32_t bytes)
{
    uintptr_t start = reserved != 0u ? reserved : ((uintptr_t)&__heap_base + 15u) & ~(uintptr_t)15u;
    uint64_t end = ((uint64_t)start + bytes + 15u) & ~(uint64_t)15u;
    uint64_t there = (uint64_t)__builtin_wasm_memory_size(0) * PAGE_BYTES;
    if (end > there) {
        uint64_t more = (end - there + PAGE_BYTES - 1u) / PAGE_BYTES;
        if (end > UINT32_MAX || __builtin_wasm_memory_grow(0, (uintptr_t)more) == (uintptr_t)-1)
            return 0;
    }
    reserved = (uintptr_t)end;
    return (void *)start;
}
