"""The operations on poses that `scons bench` measures: one row each."""
from __future__ import annotations

import re
from dataclasses import dataclass

_CALLED = re.compile(r"\b((?:osc|character)_\w+)\(")


@dataclass(frozen=True)
class Operation:
    """A row of toolbox.csv.

    call: the statements in C that are measured, with what toolbox.h declares and the generated code of
    a skeleton of 41 joints, whose prefix is `character`. include: the headers that it needs. declare: what
    stands before it, outside of functions, such as states. prepare: statements that run before it and are
    not measured. functions: those whose bytes are its bytes, with what they call; by default what the
    statements call directly.
    """

    name: str
    call: str
    include: tuple[str, ...] = ()
    declare: str = ""
    prepare: str = ""
    functions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.functions:
            object.__setattr__(self, "functions", tuple(dict.fromkeys(_CALLED.findall(self.call))))


_MIX = ("osc_mix.h",)
_DIFFERENCE = """static character_pose difference;

static void make_difference(void)
{
    osc_pose view = character_pose_view(&difference);
    osc_mix_difference(&bank, &view, &view_b, &view_a);
}"""

# Four poses of equal weight, each half a turn from the others about x, y or z: half as long as a unit rotation, which
# osc_near_unit_q31 lengthens. The sums of two and three have lengths of sqrt(1/2) and sqrt(1/3).
_OPPOSITE = """static void mix_opposite(uint32_t poses)
{
    static const uint32_t shares[4] = {32768, 16384, 10923, 8192};
    for (uint32_t k = 1; k < poses; k++) {
        for (uint32_t j = 0; j < CHARACTER_JOINT_COUNT; j++) {
            osc_quaternion q = pose_a.rotations[j], *turned = &pose_b.rotations[j];
            const osc_quaternion about[3] = {
                {q.w, -q.z, q.y, -q.x}, {q.z, q.w, -q.x, -q.y}, {-q.y, q.x, q.w, -q.z}};
            *turned = about[k - 1u];
        }
        character_mix_toward(&pose_out, &pose_b, shares[k], 0);
    }
}"""
_ROWS = """static osc_shared_rows rows;

static void fill_rows(void)
{
    osc_player filler;
    int32_t *memory = (int32_t *)scratch;
    uint32_t words = osc_player_memory_words(&bank);
    (void)osc_player_init(&filler, &bank, memory, words);
    if (osc_shared_rows_fill(&rows, &filler, CHARACTER_CLIP_STEP, OSC_PLAY_LOOP, memory + words,
                             SCRATCH_WORDS - words) < 0)
        hal_exit(1);
}"""
_TRANSITION = """static osc_transition transition;

static void begin_transition(void)
{
    if (osc_transition_init(&transition, &bank, scratch, SCRATCH_WORDS) != OSC_OK)
        hal_exit(1);
    (void)osc_transition_apply(&transition, &view_b, 16667);
    (void)osc_transition_apply(&transition, &view_b, 16667);
    osc_transition_begin(&transition, &view_out, 200000);
}"""
_LIMB = """static osc_ik_limb limb = {CHARACTER_JOINT_LEFT_UPPER_ARM, CHARACTER_JOINT_LEFT_LOWER_ARM,
                           CHARACTER_JOINT_LEFT_HAND, {0, 0, 0}};
static osc_ik_goal goal = {{100000, 400000, 20000}, {0, 0, 1 << 20}, OSC_ONE_Q15, OSC_ONE_Q15};

static void compose_limb(void)
{
    character_compose(&pose_a, &model);
    (void)osc_ik_find_mid_axis(&limb, model.joints);
}"""
_LOOK = """static const osc_ik_link head[1] = {{CHARACTER_JOINT_HEAD, OSC_ONE_Q15, 0}};
static const osc_ik_chain chain = {head, 1, {0, 0, 1 << 20}, {0, 1 << 20, 0}, {0, 0, 0}};
static const osc_ik_look look = {{1 << 20, 3 << 19, 2 << 20}, {0, 1 << 20, 0}, OSC_ONE_Q15};"""

_RATE = """static osc_update_rate rate;

static void begin_rate(void)
{
    osc_update_rate_start(&rate, 0, 16667);
    (void)osc_update_rate_tick(&rate, 16667, 8);
    (void)osc_update_rate_tick(&rate, 16667, 8);
}"""

# Names that differ in ", generic" alone are the same operation, and have the same bits.
OPERATIONS = (
    Operation("compose", "character_compose(&pose_a, &model);"),
    Operation("compose and skin", "(void)character_skin_pose(&bank, &pose_a, &model, &skinning);"),
    Operation("blend of two", "character_mix_blend(&pose_out, &pose_b, 16384, 0);"),
    Operation("blend of two, generic", "osc_mix_blend(&bank, &view_out, &view_b, 16384, 0);", _MIX),
    Operation("blend of two, masked", "character_mix_blend(&pose_out, &pose_b, 32768, character_mask_upper);"),
    Operation("blend of two, masked, generic",
              "osc_mix_blend(&bank, &view_out, &view_b, 32768, character_mask_upper);", _MIX),
    Operation("each further pose", "character_mix_toward(&pose_out, &pose_b, 10923, 0);"),
    Operation("each further pose, generic", "osc_mix_toward(&bank, &view_out, &view_b, 10923, 0);", _MIX),
    Operation("finish", "character_mix_finish(&pose_out);",
              prepare="character_mix_toward(&pose_out, &pose_b, 16384, 0);"),
    Operation("finish, generic", "osc_mix_finish(&bank, &view_out);", _MIX,
              prepare="character_mix_toward(&pose_out, &pose_b, 16384, 0);"),
    Operation("finish, four opposite poses", "character_mix_finish(&pose_out);", declare=_OPPOSITE,
              prepare="mix_opposite(4);"),
    Operation("finish, four opposite poses, generic", "osc_mix_finish(&bank, &view_out);", _MIX,
              prepare="mix_opposite(4);"),
    Operation("finish, three opposite poses", "character_mix_finish(&pose_out);", prepare="mix_opposite(3);"),
    Operation("finish, two opposite poses", "character_mix_finish(&pose_out);", prepare="mix_opposite(2);"),
    Operation("additive", "character_mix_add(&pose_out, &difference, 16384, 0);", _MIX, _DIFFERENCE,
              "make_difference();"),
    Operation("additive, generic", """osc_pose view = character_pose_view(&difference);
    osc_mix_add(&bank, &view_out, &view, 16384, 0);""", _MIX, prepare="make_difference();"),
    Operation("pose of shared rows", "character_shared_evaluate(&rows, 3000, &pose_out);", include=("hal.h",),
              declare=_ROWS, prepare="fill_rows();", functions=("osc_shared_rows_at", "character_evaluate_pair")),
    Operation("pose of shared rows, generic", "osc_shared_rows_evaluate(&rows, 3000, &view_out);",
              prepare="fill_rows();"),
    Operation("pose of the next frame, row included", """(void)osc_player_seek_q11(&player.player, 8 * 2048 + 1024);
    character_evaluate(&player, &pose_out);"""),
    Operation("tick of a rate, no pose due", """(void)osc_update_rate_tick(&rate, 16667, 8);
    character_mix_blend(&pose_out, &pose_b, rate.weight_q15, 0);""", ("osc_crowd.h",), _RATE, "begin_rate();"),
    Operation("mirror", "osc_mirror_pose(&character_mirror, &view_out, &view_out);", ("osc_mix.h",)),
    Operation("transition, a tick", "(void)osc_transition_apply(&transition, &view_out, 16667);",
              ("hal.h", "osc_mix.h"), _TRANSITION, "begin_transition();"),
    Operation("transition, none under way", "(void)osc_transition_apply(&transition, &view_out, 16667);",
              ("osc_mix.h",), prepare="begin_transition(); transition.state.duration_us = 0; pose_out = pose_b;"),
    Operation("transition, begin", "osc_transition_begin(&transition, &view_out, 200000);", ("osc_mix.h",),
              prepare="begin_transition();"),
    Operation("two-bone IK", "(void)osc_ik_two_bone(&limb, &goal, model.joints, &view_out);", ("osc_ik.h",), _LIMB,
              "compose_limb();"),
    Operation("look-at", "(void)osc_ik_aim(&chain, &look, model.joints, &view_out);", ("osc_ik.h",), _LOOK,
              "compose_limb();"),
    Operation("recompose a leg", "osc_recompose(&bank, &view_b, CHARACTER_JOINT_LEFT_UPPER_LEG, model.joints);",
              ("osc_ik.h",), prepare="compose_limb();"),
    Operation("difference", "osc_mix_difference(&bank, &view_out, &view_b, &view_a);", _MIX),
)


def _chosen(*names: str) -> tuple[Operation, ...]:
    return tuple(operation for operation in OPERATIONS if operation.name.startswith(names))


# Operations whose cost depends on how many joints move, and those that other libraries have (peers.toml).
BESIDE_PEERS = _chosen("compose", "blend of two", "each further pose", "additive", "transition", "two-bone", "look-at",
                       "recompose")
# Those that name no joints of a body.
ANY_SKELETON = tuple(operation for operation in _chosen("compose", "blend of two", "each further pose", "additive")
                     if "generic" not in operation.name)
