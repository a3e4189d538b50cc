/* Stands for libnds in the tests: the geometry engine has a stack of matrices, and a camera that
 * changes nothing. The corners of triangles are printed in 2^-12 m, and the program ends after
 * three pictures. */
#ifndef NDS_H
#define NDS_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MODE_0_3D 0
#define GL_PROJECTION 0
#define GL_MODELVIEW 2
#define GL_MAX_DEPTH 0x7fff
#define GL_TRIANGLES 0
#define GL_AMBIENT 1
#define GL_DIFFUSE 2
#define POLY_ALPHA(n) ((n) << 16)
#define POLY_CULL_BACK 128
#define POLY_FORMAT_LIGHT0 1
#define RGB15(r, g, b) ((r) | (g) << 5 | (b) << 10)
#define NORMAL_PACK(x, y, z) (((x)&0x3ff) | ((y)&0x3ff) << 10 | (int32_t)((uint32_t)(z) << 20))
#define floattov10(n) ((int)((n)*512))

typedef struct m4x3 {
    int m[12];
} m4x3;

static m4x3 current, stack[31];
static int pictures;

static inline void videoSetMode(int mode)
{
    const size_t bytes = 1 << 16;
    (void)mode;
    setvbuf(stdout, NULL, _IOFBF, bytes);
}

static inline void glLoadIdentity(void)
{
    const m4x3 identity = {{4096, 0, 0, 0, 4096, 0, 0, 0, 4096, 0, 0, 0}};
    current = identity;
}

static inline void glStoreMatrix(int index)
{
    stack[index] = current;
}

static inline void glRestoreMatrix(int index)
{
    current = stack[index];
}

/* The product applies `first` to a vector, then the current matrix. */
static inline void glMultMatrix4x3(const m4x3 *first)
{
    const m4x3 last = current;
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 3; row++) {
            int64_t sum = column == 3 ? (int64_t)last.m[9 + row] << 12 : 0;
            for (int k = 0; k < 3; k++)
                sum += (int64_t)last.m[3 * k + row] * first->m[3 * column + k];
            current.m[3 * column + row] = (int)(sum >> 12);
        }
}

static inline void glScalef32(int x, int y, int z)
{
    const m4x3 scale = {{x, 0, 0, 0, y, 0, 0, 0, z, 0, 0, 0}};
    glMultMatrix4x3(&scale);
}

static inline void glVertex3v16(int x, int y, int z)
{
    for (int row = 0; row < 3; row++)
        printf("%d ",
               ((current.m[row] * x + current.m[3 + row] * y + current.m[6 + row] * z) >> 12) +
                   current.m[9 + row]);
    printf("\n");
}

static inline void swiWaitForVBlank(void)
{
    if (++pictures == 3)
        exit(0);
}

/* State that does not move vertices. */
#define glInit(...) ((void)0)
#define glClearColor(...) ((void)0)
#define glClearDepth(...) ((void)0)
#define glViewport(...) ((void)0)
#define glMatrixMode(...) ((void)0)
#define gluPerspective(...) ((void)0)
#define glLight(...) ((void)0)
#define glMaterialf(mode, colour) ((void)(colour))
#define glNormal(normal) ((void)(normal))
#define glPolyFmt(...) ((void)0)
#define glBegin(...) ((void)0)
#define glFlush(...) ((void)0)
#define gluLookAt(...) ((void)0)
#endif
