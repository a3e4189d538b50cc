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

Layers are state machines of their own above the states of `[graph]`, the *base*. Their clips replace or change parts of
the pose. Looks turn chains of joints to points that the game writes, and limbs
reach for such points, or stay where they came down.

Times are texts such as `"120ms"` or `"0.12s"`, or seconds. Names of states, groups and parameters consist of letters,
digits and `_`. A state in a group has the name of the group before its own, as in `combat.cut`.

"""
_KEYS = (
    ("`[graph]`", "`start`", "needed", "the first state, or a group"),
    ("", "`over`", "`\"200ms\"`", "how long transitions take that do not state it; at most 16.7 s"),
    ("", "`max_ram_bytes`", "no limit",
     "the most memory that a character may take on a 32-bit machine, as the generated header states it for `embed = "
     "true`; more is an error, which lists what takes it"),
    ("", "`max_step_cycles`", "no limit",
     "the most that a step of `longest_step` may take on the `target`, as estimated from costs measured there, or on a "
     "similar machine: cycles, or instructions where the emulator counts these. No step unpacks more rows, evaluates "
     "more poses, or has more moments, switches or events than are counted; what each of them costs is that of one "
     "measured character. More is an error, which lists what takes it"),
    ("", "`players`", "`\"own\"`",
     "`\"shared\"`: characters have no players of their own. All of them take their rows from one pool, "
     "`hero_row_pool`, which unpacks each clip once: for crowds"),
    ("", "`longest_step`", "`\"250ms\"`",
     "a longer step of the game counts as this, and the character loses the rest; at most 1 s. It limits the events "
     "of a step, for which the character has memory"),
    ("a parameter", "`true`, `false`", "", "a flag, and its first value"),
    ("", "a list of texts", "", "a choice of 2 to 256 values; the first one is its first value"),
    ("", "`\"trigger\"`, or `trigger`", "`\"150ms\"`",
     "a trigger, which the game sets and a transition takes. It waits for this time; with `\"0s\"` it counts only at "
     "the beginning of the step in which it was set, and `\"forever\"` has no limit"),
    ("", "`range`", "needed",
     "a number, and its least and greatest value, between which it is held. Numbers are rounded to 1/65536"),
    ("", "`\"point\"`, `\"world point\"`", "",
     "a point for looks and limbs, in model space or in the world, where the character is at its placement; at most 8"),
    ("", "`default`", "the least value", "its first value"),
    ("", "`unit`", "none", "its unit, for the generated header"),
    ("", "`slew`", "`\"0s\"`",
     "speeds and blends take this long to follow it through its whole range, and proportionally less for a part. "
     "Conditions see the written value at once. At most 16.7 s"),
    ("a state", "`play`", "one of these, or `blend`",
     "a clip that is not additive. It may be `mirror_of` another, whose poses the graph mirrors"),
    ("", "`random`", "",
     "2 to 16 clips, of which each entry chooses one, with their weights, 1 to 255, such as "
     "`{ Fidget1 = 3, Fidget2 = 1 }`, or a list for equal weights. The seed is a parameter of `hero_graph_start`; "
     "equal seeds choose the same clips on all machines"),
    ("", "`sequence`", "",
     "2 to 16 clips, such as `[\"Left\", \"Right\"]`, of which each entry plays the next one; after the last comes the "
     "first. For clips that follow each other within one entry, write a group whose states `finished` leaves"),
    ("", "`loops`", "as the clip",
     "how often the clip plays; it is then `finished`, and shows its last frame. 0: forever. By default a clip with "
     "`loop` plays forever, others once"),
    ("", "`speed`", "1.0",
     "not with `blend`: a number, below 0 to play backward, from the last frame; or a parameter whose range does not "
     "begin below 0"),
    ("", "`position`", "none",
     "a number that says where in the clip the state is, instead of a clock: its range is the whole clip, such as that "
     "of "
     "a steering wheel or a lever. The state reports no events, does not move the character and is never `finished`"),
    ("", "`mirror`", "`false`",
     "not with `random` and `sequence`: `true` plays the mirror images of its clips, which need clips with "
     "`mirror_of`; the name of a flag: the state plays them if the flag is set when it is entered; later changes of "
     "the flag have no effect until then"),
    ("a state that blends", "`blend`", "needed",
     "1 to 16 clips, which loop, each with the value of the number at which only this clip shows. Between two values "
     "both show, below the least and above the greatest only one. The number chooses the clips, not their speed: "
     "below the least value, that clip plays as it was made"),
    ("", "`by`", "needed",
     "the number, whose range has all these values; or two, such as `[\"strafe\", \"speed\"]`, for which each clip has "
     "a point, as in `{ Walk = [0, 1.4], Left = [-1, 1.4], Back = [0, -1] }`. The points are joined to triangles; the "
     "three clips at the corners of a triangle show between them, and beyond the outermost points the two clips "
     "nearest to the point. Both ranges count as equally long, and the points may not be on one line"),
    ("", "`sync`", "`\"length\"`",
     "the marks by which the clips keep step: names of events that all clips have, in their order, at most 8 in a "
     "clip. `contacts = true` makes such marks, as `left_foot_down`. `\"length\"`: the whole clip is one step"),
    ("", "`stride`", "none",
     "for clips in place, the length of a step from mark to mark along z, with its unit, such as "
     "`{ Walk = \"60cm\" }`; by default the clips move the character by their own root motion"),
    ("a group", "`states`", "needed", "a table of states and groups"),
    ("", "`start`", "needed", "the state or group of it that is entered by the name of the group"),
    ("a transition", "`from`", "needed",
     "a state, a group or a pattern, or a list of them. A group or pattern leaves out the target. To restart a state, "
     "name it in `from`"),
    ("", "`to`", "needed", "a state or group"),
    ("", "`when`", "always", "its condition"),
    ("", "`kind`", "`\"inertia\"`",
     "`\"inertia\"`: the new clip plays at once, and the difference to the pose that was shown fades. `\"fade\"`: both "
     "states play while the new one fades in, for clips that differ much; takes twice as many players and a pose. "
     "Only the new state reports events, and both move the character by their weights. `\"step\"`: a fade between "
     "states with `blend`, of one clip or several, and the same `sync`, such as a walk and a run: the new one begins "
     "where the feet are, and the clips of both keep step. `\"cut\"`: the pose jumps"),
    ("", "`over`", "that of `[graph]`", "how long the difference or the state fades; at most 16.7 s"),
    ("", "`start_at`", "the beginning", "where the clip begins: a time in it, or one of its events"),
    ("", "`hold`", "`\"0s\"`",
     "for this time after it, only transitions above it in the file can leave the new state"),
    ("`[[graph.layers]]`", "`name`", "needed",
     "the name of the layer, which stands before the names of its states, as in `gesture.wave`. The pose of the base "
     "gets the layers in the order of the file, at most 7"),
    ("", "`mask`", "all joints", "a mask of `[masks]`: the joints that the layer changes"),
    ("", "`weight`", "1.0", "a number from 0 to 1, or a parameter with such a range"),
    ("", "`fade`", "`\"200ms\"`", "how long it takes from weight 0 to the whole one, and back; at most 16.7 s"),
    ("", "`while`", "always",
     "a condition of flags, choices, numbers and `in()`. While it does not hold, the layer fades out, reports no "
     "events and takes no transitions. Once it shows nothing, it is at its beginning again; before that, it goes on if "
     "the condition holds again"),
    ("", "`one_shot`", "",
     "a table of triggers and clips. A trigger plays its clip once, from weight 0 at the begin to 0 at the end. "
     "Meanwhile other triggers wait"),
    ("", "`play`", "", "a clip that plays all the time, with `loops` and `speed` as in states"),
    ("", "`states`, `transitions`, `start`", "",
     "states of its own, as in `[graph]`; names are those within the layer. `play = \"none\"` plays nothing: the layer "
     "fades out with the clip before. A layer has one of `one_shot`, `play` and `states`, and its clips are all "
     "`additive`, whose differences are added, or none are"),
    ("`[graph.looks.NAME]`", "`at`", "needed", "the point"),
    ("", "`chain`", "needed",
     "1 to 8 joints, the one with the eyes first and then those above it, each with its share of the whole rotation "
     "and its largest angle, or the share alone. The chain turns away from points beyond all these angles and 10 "
     "degrees, and to points within the angles"),
    ("", "`forward`, `up`", "`\"z\"`, `\"y\"`", "axes of the first joint, such as `\"-z\"`"),
    ("", "`eyes`", "`[0, 0, 0]`", "where the eyes are, in the space of the first joint: lengths with units"),
    ("", "`weight`", "1.0", "a number from 0 to 1, or a parameter with such a range"),
    ("", "`fade`", "`\"200ms\"`", "how long it takes to turn to a point, and away"),
    ("", "`lag`", "`\"100ms\"`", "the eyes follow a point that moves with this time constant"),
    ("`[graph.limbs.NAME]`", "`joints`", "needed",
     "the start, the middle and the end of a limb, such as shoulder, elbow and hand: each below the one before it. "
     "Limbs follow after the looks, in the order of the file, at most 8"),
    ("", "`to`", "needed, without `lock`", "a point to which the end reaches, or as near as the limb is long"),
    ("", "`lock`", "",
     "a span of clips of the base, such as one that `contact_spans` adds. While it is open, the end stays where it "
     "was in the world when the span began, and so does the foot of a walk that slides or that the game turns. "
     "Farther than half the limb's length from there, along an axis, it lets go until the next span"),
    ("", "`bend`", "that of the bind pose",
     "the axis of the middle joint about which a positive rotation straightens the limb, such as `\"-x\"`; needed "
     "for a limb that is straight in the bind pose"),
    ("", "`pole`", "the clip's",
     "a point to which the middle joint points, as seen from the start; by default the limb stays in its plane"),
    ("", "`soften`", "1.0",
     "beyond this share of its length, the limb stretches less, so that the middle joint does not snap as it "
     "straightens"),
    ("", "`weight`", "1.0",
     "a number from 0 to 1, or a parameter with such a range. With `to`, the end comes while it is not 0, and goes "
     "when it is"),
    ("", "`fade`", "`\"150ms\"`",
     "how long the end takes to come to a point and to go; with `lock`, how long after the span it takes to be where "
     "the clip has it"),
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
    ("`speed >= 0.2`, `>`, `<`, `<=`", "while the number compares so"),
    ("`finished`", "once the clip has ended. An error where the clip plays forever, as in blends"),
    ("`after(1.2s)`, `before(0.4s)`", "from this time since the entry of the state on; until then"),
    ("`at(left_foot)`", "at the moment at which the clip reaches this event, in a blend one of `sync`. Not with `not`"),
    ("`inside(combo)`", "during this span of the clip, not in blends"),
    ("`in(combat)`", "while the base, or a layer above in the file, is in this state or group; only in layers"),
)
_END = """\
A graph may be in the tables of characters and folders, too: keys override those above, and `transitions` replaces the
whole list. `ossicle build` and `ossicle encode --config` refuse graphs with states that no transition reaches, with
transitions and triggers that have no effect, and with transitions that would follow each other in circles without an
end. Circles are looked for if the conditions distinguish at most 1,024 combinations of values of the parameters.
[Section 26](../runtime/SPEC.md#26-graphs) defines how the bank stores a graph.

A trigger that the conditions of the base and of layers name waits for each of them separately. `ossicle build` uses
masks of the file also if it generates no C.

A graph has at most 255 states, 1,024 transitions, 64 parameters, of which 32 are triggers, and for each state 64
positions and times that its conditions name. Written as `(a and b) or (c and d)`, a condition has at most 8 brackets
of 8 parts.
"""


def graphs(table: Callable[[Sequence[str], Iterable[Sequence[str]]], str]) -> str:
    """Returns the text. table: writes a table with these headings and rows."""
    keys, conditions = table(("table", "key", "default", "meaning"), _KEYS), table(("part", "holds"), _CONDITIONS)
    return "".join((_START, keys, "\n", _ORDER, conditions, "\n", _END))
