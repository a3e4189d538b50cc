/* Stands for raylib in the tests, with the part that a game with one character uses, as raylib 6
 * has it and, with RAYLIB_VERSION_MAJOR 5, as raylib 5.5. A model is two vertices; to draw it is to
 * print their positions and normals. */
#ifndef RAYLIB_H
#define RAYLIB_H
#include <stdbool.h>
#ifndef RAYLIB_VERSION_MAJOR
#define RAYLIB_VERSION_MAJOR 6
#endif
#define CAMERA_PERSPECTIVE 0
#define WHITE ((Color){255, 255, 255, 255})
#define RAYWHITE ((Color){245, 245, 245, 255})

typedef struct Color {
    unsigned char r, g, b, a;
} Color;
typedef struct Vector3 {
    float x, y, z;
} Vector3;
typedef struct Camera {
    Vector3 position, target, up;
    float fovy;
    int projection;
} Camera;
typedef struct Matrix {
    float m0, m4, m8, m12, m1, m5, m9, m13, m2, m6, m10, m14, m3, m7, m11, m15;
} Matrix;
typedef struct Mesh {
    int vertexCount, boneCount;
    float *vertices, *normals, *animVertices, *animNormals, *boneWeights;
#if RAYLIB_VERSION_MAJOR < 6
    unsigned char *boneIds;
    Matrix *boneMatrices;
#else
    unsigned char *boneIndices;
#endif
} Mesh;
typedef struct Model {
    int meshCount;
    Mesh *meshes;
#if RAYLIB_VERSION_MAJOR < 6
    int boneCount;
#else
    struct {
        int boneCount;
    } skeleton;
    Matrix *boneMatrices;
#endif
} Model;

void InitWindow(int width, int height, const char *title);
void CloseWindow(void);
void SetTargetFPS(int fps);
bool WindowShouldClose(void);
float GetFrameTime(void);
Model LoadModel(const char *file);
void UnloadModel(Model model);
void UpdateMeshBuffer(Mesh mesh, int index, const void *data, int size, int offset);
void BeginDrawing(void);
void EndDrawing(void);
void ClearBackground(Color color);
void BeginMode3D(Camera camera);
void EndMode3D(void);
void DrawModel(Model model, Vector3 position, float scale, Color tint);
#endif
