"""The part of codegen/CONFIGURATION.md about animation graphs."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

_START = """\
An animation graph is a state machine that plays the clips of a character. A state plays a clip, or blends several by
one or two numbers. A transition leads from some states to another when its condition holds. Conditions depend on
parameters, which the game writes, and on the clip of the state.

```toml
[graph]
start = "idle"
transitions = [
    { from = ["idle", "move"], to = "jump", when = "jump and grounded", over = "120ms" },
    { from = "idle", to = "move", when = "speed >= 0.2" },
    { from = "move", to = "idle", when = "speed < 0.2" },
    { from = ["idle", "move"], to = "combat", when = "attack" },
    { from = "combat.cut", to = "combat.stab", when = "attack and inside(combo)" },
    { from = ["jump", "combat"], to = "idle", when = "finished" },
]

[graph.parameters]
speed = { range = [0.0, 6.0], unit = "m/s", slew = "500ms" }
pace = { range = [0.5, 2.0], default = 1.0 }
grounded = true
stance = ["relaxed", "armed"]
jump = "trigger"
attack = { trigger = "300ms" }

wave = "trigger"
look = "world point"

[graph.states]
idle = { play = "Idle" }
move = { by = "speed", blend = { Walk = 1.4, Run = 4.5 }, sync = ["left_foot", "right_foot"] }
jump = { play = "Jump", speed = "pace" }
combat = { start = "cut", states = { cut = { play = "Attack" }, stab = { play = "Attack2" } } }

[[graph.layers]]
name = "gesture"
mask = "upper"
one_shot = { wave = "Wave" }
while = "not in(combat)"

[graph.looks.head]
at = "look"
chain = { head = [0.6, "60deg"], neck = [0.4, "30deg"] }

[graph.limbs.left_leg]
joints = ["upper_leg_l", "lower_leg_l", "foot_l"]
lock = "foot_l_planted"
```

Layers are separate state machines on top of the states of `[graph]`, the *base*. Their clips replace or change parts of
the pose. Looks turn chains of joints to points that the game writes. Limbs reach for such points, or stay where they
came down.

Times are texts such as `"120ms"` or `"0.12s"`, or seconds. Names of states, groups and parameters consist of letters,
digits and `_`. A state in a group has the name of the group before its own, as in `combat.cut`.

"""
_KEYS = (
    ("`[graph]`", "`start`", "needed", "the first state, or a group"),
    ("", "`over`", "`\"200ms\"`", "the duration of transitions without `over`; at most 16.7 s"),
    ("", "`max_ram_bytes`", "no limit",
     "the most memory that a character may take on a 32-bit machine, as the generated header states it for `embed = "
     "true`; more is an error, which lists the parts"),
    ("", "`max_step_cycles`", "no limit",
     "the most cycles that a step of `longest_step` may take on the `target`, or instructions if its emulator counts "
     "these. This estimate counts the most rows, poses, moments, switches and events that a step can have; their costs "
     "were measured with one character on this or a similar machine. More is an error, which lists the parts"),
    ("", "`players`", "`\"own\"`",
     "`\"shared\"`, for crowds: all characters take their rows from one pool, `hero_row_pool`, which unpacks each clip "
     "once, instead of players of their own"),
    ("", "`longest_step`", "`\"250ms\"`",
     "a longer step of the game is shortened to this; at most 1 s. It limits the events of a step, for which the "
     "character needs memory"),
    ("a parameter", "`true`, `false`", "", "a flag with this initial value"),
    ("", "a list of texts", "", "a choice of 2 to 256 values, initially the first"),
    ("", "`\"trigger\"`, or `trigger`", "`\"150ms\"`",
     "a trigger, which the game sets and a transition takes. The trigger waits for this time: with `\"0s\"` only at "
     "the beginning of the step in which it was set, with `\"forever\"` without a limit"),
    ("", "`range`", "needed",
     "a number with its least and greatest value, to which it is limited. Numbers are rounded to 1/65536"),
    ("", "`\"point\"`, `\"world point\"`", "",
     "a point for looks and limbs, in model space or in the world, as the placement of the character is; at most 8"),
    ("", "`default`", "the least value", "the initial value"),
    ("", "`unit`", "none", "the unit, for the generated header"),
    ("", "`slew`", "`\"0s\"`",
     "the time in which speeds and blends follow the number through its whole range; part of the range takes "
     "proportionally less. Conditions use the written value immediately. At most 16.7 s"),
    ("a state", "`play`", "one of these, or `blend`",
     "a clip that is not additive. It may be `mirror_of` another, whose poses the graph mirrors"),
    ("", "`random`", "",
     "2 to 16 clips with weights from 1 to 255, such as `{ Fidget1 = 3, Fidget2 = 1 }`, or a list for equal weights. "
     "Each entry of the state chooses a clip. The seed is a parameter of `hero_graph_start`; equal seeds choose the "
     "same clips on all machines"),
    ("", "`sequence`", "",
     "2 to 16 clips, such as `[\"Left\", \"Right\"]`. Each entry of the state plays the next clip, and after the last "
     "one the first. For clips that follow each other within one entry, use a group of states with transitions on "
     "`finished`"),
    ("", "`loops`", "as the clip",
     "how often the clip plays, before the state is `finished` and shows the last frame. 0: forever. By default a clip "
     "with `loop` plays forever, others once"),
    ("", "`speed`", "1.0",
     "not with `blend`: a number, or a parameter whose range does not begin below 0. A number below 0 plays the clip "
     "backward from the last frame"),
    ("", "`position`", "none",
     "a number that determines the position in the clip instead of a clock, such as the angle of a steering wheel or a "
     "lever; its range is the whole clip. The state reports no events, does not move the character and is never "
     "`finished`"),
    ("", "`mirror`", "`false`",
     "not with `random` and `sequence`: `true` plays the mirror images of the state's clips, which need clips with "
     "`mirror_of`. With the name of a flag, the state plays the mirror images if the flag is set when the state is "
     "entered; later changes of the flag have no effect until the next entry"),
    ("a state that blends", "`blend`", "needed",
     "1 to 16 clips, which loop, each with the value of the number at which only this clip shows. Between two values "
     "both clips show; below the least and above the greatest value, only one does. The number chooses the clips, not "
     "their speed: below the least value, the clip plays at its recorded speed"),
    ("", "`by`", "needed",
     "the number, whose range includes all these values; or two numbers, such as `[\"strafe\", \"speed\"]`, for which "
     "each clip has a point, as in `{ Walk = [0, 1.4], Left = [-1, 1.4], Back = [0, -1] }`. The points are joined to "
     "triangles. Inside a triangle, the three clips at its corners show; beyond the outermost points, the two nearest "
     "clips. Both ranges count as equally long. The points must not be on one line"),
    ("", "`sync`", "`\"length\"`",
     "the marks by which the clips keep step: names of events that all clips have, in their order, at most 8 in a "
     "clip. `contacts = true` adds such marks, as `left_foot_down`. `\"length\"`: the whole clip is one step"),
    ("", "`stride`", "none",
     "for clips in place, the distance from mark to mark along z, with its unit, such as `{ Walk = \"60cm\" }`; by "
     "default the clips move the character by their own root motion"),
    ("a group", "`states`", "needed", "a table of states and groups"),
    ("", "`start`", "needed", "the state or group in it that is entered if a transition leads to the group"),
    ("a transition", "`from`", "needed",
     "a state, a group or a pattern, or a list of them. A group or pattern does not include the target. To restart a "
     "state, name it in `from`"),
    ("", "`to`", "needed", "a state or group"),
    ("", "`when`", "always", "its condition"),
    ("", "`kind`", "`\"inertia\"`",
     "`\"inertia\"`: only the new state plays, and the difference from the pose that was shown fades. `\"fade\"`: both "
     "states play while the new state fades in, for clips that differ much; this takes twice as many players and "
     "another pose. Only the new state reports events, and both move the character in proportion to their weights. "
     "`\"step\"`: a fade between states with `blend`, of one clip or several, and the same `sync`, such as a walk and "
     "a run: the new state begins at the phase of the old one, and the clips of both keep step. `\"cut\"`: the pose "
     "jumps"),
    ("", "`over`", "that of `[graph]`", "the time in which the difference or the new state fades; at most 16.7 s"),
    ("", "`start_at`", "the beginning", "the start in the clip: a time, or one of its events"),
    ("", "`hold`", "`\"0s\"`",
     "for this time after the transition, only transitions above it in the file can leave the new state"),
    ("`[[graph.layers]]`", "`name`", "needed",
     "the name of the layer, which precedes the names of its states, as in `gesture.wave`. Layers are applied to the "
     "pose of the base in the order of the file; at most 7"),
    ("", "`mask`", "all joints", "a mask of `[masks]`: the joints that the layer changes"),
    ("", "`weight`", "1.0", "a number from 0 to 1, or a parameter with such a range"),
    ("", "`fade`", "`\"200ms\"`", "the time in which the layer fades in, or out; at most 16.7 s"),
    ("", "`while`", "always",
     "a condition of flags, choices, numbers and `in()`. While it does not hold, the layer fades out, reports no "
     "events and takes no transitions. If the condition holds again before the layer has faded out, the layer "
     "continues; afterwards, it restarts"),
    ("", "`one_shot`", "",
     "a table of triggers and clips. A trigger plays its clip once, with a weight that rises from 0 and falls back to "
     "0 at the end. Meanwhile other triggers wait"),
    ("", "`play`", "", "a clip that plays all the time, with `loops` and `speed` as in states"),
    ("", "`states`, `transitions`, `start`", "",
     "states of the layer, as in `[graph]`; names are those within the layer. A state with `play = \"none\"` plays "
     "nothing: the layer fades out with the previous clip. A layer has one of `one_shot`, `play` and `states`. Either "
     "all of its clips are `additive`, and their differences are added, or none is"),
    ("`[graph.looks.NAME]`", "`at`", "needed", "the point"),
    ("", "`chain`", "needed",
     "1 to 8 joints, first the joint with the eyes and then those above it, each with its share of the whole rotation "
     "and its largest angle, or the share alone. The chain turns to points within the sum of these angles, and away "
     "from points more than 10 degrees beyond it"),
    ("", "`forward`, `up`", "`\"z\"`, `\"y\"`", "axes of the first joint, such as `\"-z\"`"),
    ("", "`eyes`", "`[0, 0, 0]`", "the position of the eyes, in the space of the first joint: lengths with units"),
    ("", "`weight`", "1.0", "a number from 0 to 1, or a parameter with such a range"),
    ("", "`fade`", "`\"200ms\"`", "the time in which the chain turns to a point, or away"),
    ("", "`lag`", "`\"100ms\"`", "the time constant with which the eyes follow a moving point"),
    ("`[graph.limbs.NAME]`", "`joints`", "needed",
     "the start, the middle and the end of a limb, such as shoulder, elbow and hand, each below the previous one. "
     "Limbs are applied after the looks, in the order of the file; at most 8"),
    ("", "`to`", "needed, without `lock`", "a point for which the end reaches, as far as the length of the limb "
                                           "permits"),
    ("", "`lock`", "",
     "a span of clips of the base, such as one that `contact_spans` adds. While it is open, the end keeps the position "
     "in the world that it had when the span began, even if the walk slides or the game turns the character. If the "
     "clip is farther than half the limb's length from this position, along an axis, the limb lets go until the next "
     "span"),
    ("", "`bend`", "that of the bind pose",
     "the axis of the middle joint about which a positive rotation straightens the limb, such as `\"-x\"`; needed "
     "for a limb that is straight in the bind pose"),
    ("", "`pole`", "the clip's",
     "a point to which the middle joint points, as seen from the start; by default the limb stays in its plane"),
    ("", "`soften`", "1.0",
     "beyond this share of its length, the limb stretches less, so that the middle joint does not snap as it "
     "straightens"),
    ("", "`weight`", "1.0",
     "a number from 0 to 1, or a parameter with such a range. With `to`, the end moves to the point while the weight "
     "is not 0, and back when it is 0"),
    ("", "`fade`", "`\"150ms\"`",
     "the time in which the end moves to a point, or back; with `lock`, the time after the span in which it returns to "
     "its position in the clip"),
)
_ORDER = """\
The order of the file decides between transitions whose conditions hold at the same time: the first one is taken.
In messages, `transition 1` is the first of the list.

Conditions consist of these parts, and of `not`, `and`, `or` and brackets:

"""
_CONDITIONS = (
    ("`jump`", "while the trigger waits. The transition takes it. Not with `not`"),
    ("`grounded`", "while the flag is set"),
    ("`stance == armed`, `!=`", "while the choice has this value"),
    ("`speed >= 0.2`, `>`, `<`, `<=`", "while the comparison is true"),
    ("`finished`", "once the clip has ended. An error if the clip plays forever, as in blends"),
    ("`after(1.2s)`, `before(0.4s)`", "after, or before, this time since the entry of the state"),
    ("`at(left_foot)`", "at the moment at which the clip reaches this event; in a blend, an event of `sync`. Not with "
                        "`not`"),
    ("`inside(combo)`", "during this span of the clip, not in blends"),
    ("`in(combat)`", "while the base, or a layer above in the file, is in this state or group; only in layers"),
)
_END = """\
The tables of characters and folders may also contain a graph: its keys override those above, and `transitions` replaces
the whole list. `ossicle build` and `ossicle encode --config` refuse graphs with states that no transition reaches, with
transitions and triggers that have no effect, and with transitions that would follow each other in circles without an
end. `ossicle` searches for such circles if the conditions distinguish at most 1,024 combinations of values of the
parameters. [Section 26](../runtime/SPEC.md#26-graphs) defines how the bank stores a graph.

If conditions of the base and of layers name the same trigger, it waits for each of them separately. `ossicle build`
uses the masks of the file even if it generates no C.

A graph has at most 255 states, 1,024 transitions and 64 parameters, of which at most 32 are triggers. The conditions of
a state name at most 64 positions and times. Written as `(a and b) or (c and d)`, a condition has at most 8 brackets of
8 parts.
"""


def graphs(table: Callable[[Sequence[str], Iterable[Sequence[str]]], str]) -> str:
    """Returns the text. table: writes a table with these headings and rows."""
    keys, conditions = table(("table", "key", "default", "meaning"), _KEYS), table(("part", "holds"), _CONDITIONS)
    return "".join((_START, keys, "\n", _ORDER, conditions, "\n", _END))
