/* Stands for the Playdate SDK's header in the tests. */
#ifndef PD_API_H
#define PD_API_H

#include <stdint.h>

typedef struct PlaydateAPI PlaydateAPI;
typedef enum { kEventInit } PDSystemEvent;

#endif
