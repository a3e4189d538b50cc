/* SPDX-License-Identifier: MIT */
/* Poses a model of raylib (5.5 or later) with skinning matrices in q20. The model comes from
 * LoadModel and the same .glb as the bank; raylib draws it with its materials, and does not load
 * the animations. Of the skins of a file, raylib reads the first; the bank must have it, too. */
#ifndef OSC_RAYLIB_H
#define OSC_RAYLIB_H

#include "osc_float.h"
#include "raylib.h"

/* Names that raylib 6 has changed. */
#if RAYLIB_VERSION_MAJOR < 6
#define OSC_RAYLIB_BONES(model, mesh) ((model).meshes[mesh].boneMatrices)
#define OSC_RAYLIB_BONE_COUNT(model) ((model).boneCount)
#define OSC_RAYLIB_INDICES(mesh) ((mesh)->boneIds)
#else
#define OSC_RAYLIB_BONES(model, mesh) ((model).boneMatrices)
#define OSC_RAYLIB_BONE_COUNT(model) ((model).skeleton.boneCount)
#define OSC_RAYLIB_INDICES(mesh) ((mesh)->boneIndices)
#endif
enum { OSC_RAYLIB_POSITIONS = 0, OSC_RAYLIB_NORMALS = 2 }; /* buffers that UpdateMeshBuffer takes */

/* Converts a matrix, such as that of a hand, in which a prop is drawn. */
static inline Matrix osc_raylib_matrix(const osc_matrix *matrix)
{
    float m[12];
    osc_float_3x4(matrix, m);
    Matrix out = {m[0], m[1], m[2],  m[3],  m[4], m[5], m[6], m[7],
                  m[8], m[9], m[10], m[11], 0.0f, 0.0f, 0.0f, 1.0f};
    return out;
}

/* Sets the bone matrices of a model, which raylib passes to a shader that skins vertices.
 * skinning: of all joints of the character. joints: hero_skin_joints. */
static inline void osc_raylib_bones(Model model, const osc_matrix *skinning, const uint8_t *joints)
{
    for (int mesh = 0; mesh < model.meshCount; mesh++) {
        Matrix *bones = OSC_RAYLIB_BONES(model, mesh);
        for (int bone = 0; bones != 0 && bone < OSC_RAYLIB_BONE_COUNT(model); bone++)
            bones[bone] = osc_raylib_matrix(&skinning[joints[bone]]);
    }
}

/* Adds weight * (bone * in). one: 1 for a position, 0 for a normal. */
static inline void osc_raylib_add(const Matrix *bone, float weight, const float *in, float one,
                                  float *out)
{
    out[0] += weight * (bone->m0 * in[0] + bone->m4 * in[1] + bone->m8 * in[2] + bone->m12 * one);
    out[1] += weight * (bone->m1 * in[0] + bone->m5 * in[1] + bone->m9 * in[2] + bone->m13 * one);
    out[2] += weight * (bone->m2 * in[0] + bone->m6 * in[1] + bone->m10 * in[2] + bone->m14 * one);
}

/* Moves the vertices of a mesh, or turns its normals. */
static inline void osc_raylib_skin(const Mesh *mesh, const Matrix *bones, const float *in,
                                   float one, float *out)
{
    for (int i = 0; i < mesh->vertexCount; i++, in += 3, out += 3) {
        out[0] = out[1] = out[2] = 0.0f;
        for (int k = 4 * i; k < 4 * i + 4; k++)
            osc_raylib_add(&bones[OSC_RAYLIB_INDICES(mesh)[k]], mesh->boneWeights[k], in, one, out);
    }
}

/* Sets the bone matrices of a model, moves its vertices and turns its normals, for shaders that do
 * not skin vertices. Normals are right unless scales differ by axis. Parameters: as
 * osc_raylib_bones. */
static inline void osc_raylib_pose(Model model, const osc_matrix *skinning, const uint8_t *joints)
{
    osc_raylib_bones(model, skinning, joints);
    for (int i = 0; i < model.meshCount; i++) {
        const Mesh *mesh = &model.meshes[i];
        const Matrix *bones = OSC_RAYLIB_BONES(model, i);
        const int vector_bytes = 3 * sizeof(float), bytes = mesh->vertexCount * vector_bytes;
        if (bones == 0 || mesh->boneWeights == 0 || mesh->animVertices == 0)
            continue;
        osc_raylib_skin(mesh, bones, mesh->vertices, 1.0f, mesh->animVertices);
        UpdateMeshBuffer(*mesh, OSC_RAYLIB_POSITIONS, mesh->animVertices, bytes, 0);
        if (mesh->normals == 0 || mesh->animNormals == 0)
            continue;
        osc_raylib_skin(mesh, bones, mesh->normals, 0.0f, mesh->animNormals);
        UpdateMeshBuffer(*mesh, OSC_RAYLIB_NORMALS, mesh->animNormals, bytes, 0);
    }
}

#endif
