#include "model/play.h"

#include <string.h>

#include "model/loop_wrap.h"
#include "port/osc_port.h"

/* One track at one position: a frame, or the blend of two. A track that breaks at the next frame
 * holds its value. */
static void play_track(const enc_source *source, const enc_track_choice *choice, uint32_t kind,
                       uint32_t joint, uint32_t position_q11, double *out)
{
    uint32_t frame = position_q11 / OSC_ONE_Q11, components = enc_components(kind);
    int32_t played[4] = {0};
    memcpy(played, enc_frame_row(source, choice, kind, frame), components * sizeof *played);
    if (position_q11 % OSC_ONE_Q11 != 0u && choice->coded != NULL &&
        enc_breaks(source, kind, joint)[frame + 1u] == 0) {
        osc_blend blend = osc_blend_at(position_q11 % OSC_ONE_Q11);
        int32_t pair[8] = {0};
        enc_wrap_pair(source, choice, kind, frame, pair);
        if (kind == ENC_ROTATION) {
            osc_quaternion q;
            osc_blend_rotation(pair, pair + 4, osc_chord_q20(pair, pair + 4), blend, &q);
            memcpy(played, &q, sizeof q);
        } else {
            osc_vector v;
            osc_blend_vector(pair, pair + 3, blend, &v);
            memcpy(played, &v, sizeof v);
        }
    }
    for (uint32_t i = 0; i < components; i++)
        out[i] = played[i] / (double)OSC_ONE_Q20;
}

void enc_joint_begin(enc_joint_player *player, const enc_source *source,
                     const enc_track_choice choices[ENC_KINDS], uint32_t joint)
{
    player->source = source;
    player->choices = choices;
    player->joint = joint;
    player->moves = false;
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++) {
        play_track(source, &choices[kind], kind, joint, 0, player->value[kind]);
        player->moves = player->moves || choices[kind].coded != NULL;
    }
    enc_source_matrix(source, joint, player->value[ENC_ROTATION], player->value[ENC_TRANSLATION],
                      player->value[ENC_SCALE], &player->still);
}

static void play_moving(enc_joint_player *player, uint32_t position_q11, enc_matrix *out)
{
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        if (player->choices[kind].coded != NULL)
            play_track(player->source, &player->choices[kind], kind, player->joint, position_q11,
                       player->value[kind]);
    enc_source_matrix(player->source, player->joint, player->value[ENC_ROTATION],
                      player->value[ENC_TRANSLATION], player->value[ENC_SCALE], out);
}

void enc_joint_play(enc_joint_player *player, uint32_t sample, enc_matrix *out)
{
    if (player->moves)
        play_moving(player, enc_sample_q11(player->source, sample), out);
    else
        *out = player->still;
}

void enc_play_at(const enc_source *source, const enc_track_choice choices[ENC_KINDS],
                 uint32_t joint, uint32_t position_q11, enc_matrix *out)
{
    double value[ENC_KINDS][4];
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        play_track(source, &choices[kind], kind, joint, position_q11, value[kind]);
    enc_source_matrix(source, joint, value[ENC_ROTATION], value[ENC_TRANSLATION], value[ENC_SCALE],
                      out);
}
