/* Memory of a WebAssembly module, for the page of codegen/viewer and the package of codegen/web. */
#ifndef MODULE_MEMORY_H
#define MODULE_MEMORY_H

#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(name), used))

/* Returns memory of so many bytes, aligned to 16, or null. It lasts as long as the module. Views of
 * the module's memory in JavaScript are detached when it grows. */
EXPORT("reserve") void *reserve(uint32_t bytes);

#endif
