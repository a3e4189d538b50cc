"""Compiles a graph for the clips of a bank."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..bank.clips import ONE_Q11
from ..bank.events import ClipEvent
from ..bank.graph.packing import pack_graph
from ..bank.graph.check import MOST_EVENTS, MOST_WATCHES
from ..bank.graph.records import (AFTER, AT, CUT, FINISHED, FOREVER, INSIDE, OF_EVENTS, STEP, Atom, Clause, Graph,
                                  JointMask, Machine, Member, State, Transition, blend_of, nothing_of)
from ..bank.words import BankProblem
from ..base.problem import SettingProblem, nearest
from ..model.masks import mask_weights
from .blends import members_of, stay_in, triangles_of
from .clips import NO_CLIP, GraphClip, GraphJoint
from .event_count import Stay, most_events
from .limbs import limb_of
from .looks import look_of
from .mirroring import with_mirror_images
from .parameters import ONE_Q16
from .resolving import Leaving, Resolved, resolved
from .rules import TABLE, GraphProblem, GraphRules, StateRule

_NO_CLIP = -1  # stands for the clip of a state that plays nothing


def compiled(rules: GraphRules, clips: Sequence[GraphClip], joints: Sequence[GraphJoint]) -> Graph:
    """Returns the graph of a bank with these clips and joints. Raises GraphProblem."""
    graph = resolved(with_mirror_images(rules, clips))
    blends = [() if state.blend is None else members_of(state, state.blend, clips, graph.parameters)
              for state in graph.states]
    playing = [members[0].clip if members else _NO_CLIP if state.nothing
               else _clip_of(state, clips, at >= graph.machines[0].count)
               for at, (state, members) in enumerate(zip(graph.states, blends))]
    machines = tuple(_machine(machine, graph, [playing[state] for state in machine.states], clips)
                     for machine in graph.machines)
    clips = (*clips, NO_CLIP)
    names = sorted({event.name for clip in clips for event in clip.events})
    spans = _spans([clips[clip] for clip in _clips_of_base(graph, playing, blends)])
    _check_conditions(graph, [clips[clip] for clip in playing], names)
    transitions = tuple(_transition(transition, graph, clips[playing[transition.target]], names)
                        for transition in graph.transitions)
    states = tuple(_state(number, graph, playing[number], clips[playing[number]], blends[number])
                   for number in range(len(playing)))
    stays = [stay_in(state.members, clips) if state.members else _stay(state, clips[number], graph)
             for state, number in zip(states, playing)]
    stays = _in_step(stays, graph)
    starts = [(leaving.sources, state, None if transition.kind == STEP else transition.start_q11
               if state == transition.target else stays[state].first_q11)
              for leaving, transition in zip(graph.transitions, transitions)
              for state in graph.together(transition.target)]
    counted = [most_events(stays, machine.states, starts, rules.longest_us) for machine in machines]
    events = sum(most.events for most in counted)
    if events > MOST_EVENTS:
        state = max(counted, key=lambda most: most.events).state
        raise GraphProblem(f"[{TABLE}] longest_step: a step of {rules.longest_us / 1e6:g} s can pass more than "
                           f"{MOST_EVENTS} events, most of them in {states[state].name}, which plays "
                           f"{graph.states[state].play}; shorten longest_step, or remove events")
    return Graph(graph.parameters, machines, states, transitions, graph.groups,
                 tuple(_mask(name, graph, joints) for name in graph.masks),
                 tuple(look_of(rule, graph.parameters, joints) for rule in rules.looks),
                 tuple(limb_of(rule, graph.parameters, joints, names, spans) for rule in rules.limbs), events,
                 rules.longest_us, graph.choices, rules.shared,
                 any(clips[clip].mirrored for clip in playing)
                 or any(clips[member.clip].mirrored for blend in blends for member in blend))


def graph_bytes(graph: Graph) -> bytes:
    """Returns the content of the section. Raises GraphProblem if the graph is too large."""
    try:
        return pack_graph(graph)
    except BankProblem as problem:
        raise GraphProblem(f"[{TABLE}]: {problem}; give it fewer transitions") from problem


# ---- machines ----


def _machine(machine: Machine, graph: Resolved, playing: Sequence[int], clips: Sequence[GraphClip]) -> Machine:
    """Returns a machine, which adds differences if its clips are additive. playing: the clips of its states."""
    additive = [clips[number].additive for number in playing if number != _NO_CLIP]
    where = graph.rules.layers[graph.machines.index(machine) - 1].where if machine.name else ""
    if machine.name and not additive:
        raise GraphProblem(f"{where}: no state of it plays a clip; add one, or remove the layer")
    if any(additive) and machine.name:
        for number, state in zip(playing, machine.states):
            if number != _NO_CLIP and not clips[number].additive:
                raise GraphProblem(f"{graph.states[state].where}: {clips[number].name} is a whole pose, but other "
                                   f"clips of the layer {machine.name} are additive; make them additive, or "
                                   "divide the layer")
    return replace(machine, additive=any(additive))


def _mask(name: str, graph: Resolved, joints: Sequence[GraphJoint]) -> JointMask:
    where = next(layer.where for layer in graph.rules.layers if layer.mask == name)
    masks = dict(graph.rules.masks)
    if name not in masks:
        raise GraphProblem(f"{where} mask = {name!r}: is no mask of the file{nearest(name, masks)}" + (
            "" if masks else "; add it to [masks]"))
    try:
        weights = mask_weights(masks[name], dict(graph.rules.sets), [joint.name for joint in joints],
                               [joint.parent for joint in joints])
    except SettingProblem as problem:
        raise GraphProblem(f"[masks] {name}: {problem}") from problem
    return JointMask(name, tuple(weights))


# ---- clips ----


def _clips_of_base(graph: Resolved, playing: Sequence[int], blends: Sequence[tuple[Member, ...]]) -> list[int]:
    """Returns the numbers of the clips of the base."""
    return [clip for state in graph.machines[0].states
            for clip in ([member.clip for member in blends[state]] or [playing[state]])]


def _spans(clips: Sequence[GraphClip]) -> list[str]:
    return sorted({event.name for clip in clips for event in clip.events if event.end_q11 is not None})


def _clip_of(state: StateRule, clips: Sequence[GraphClip], in_layer: bool) -> int:
    names = [clip.name for clip in clips]
    if state.play not in names:
        raise GraphProblem(f"{state.where} play = {state.play!r}: no clip of the bank has this name"
                           f"{nearest(state.play, names)}")
    clip = clips[names.index(state.play)]
    if clip.additive and not in_layer:
        raise GraphProblem(f"{state.where} play = {state.play!r}: is additive, and thus not a whole pose; play "
                           "another clip, or this one in a layer")
    if state.position is not None and clip.end_q11 == 0:
        raise GraphProblem(f"{state.where} position: the clip {state.play} has one frame, and thus one position; "
                           "remove position")
    if state.loops == 0 and clip.end_q11 == 0:
        raise GraphProblem(f"{state.where} loops = 0: the clip {state.play} has one frame and cannot loop; remove "
                           "loops")
    return names.index(state.play)


def _loops(state: StateRule, clip: GraphClip) -> int:
    """Returns how often a state plays its clip."""
    if state.loops is None:
        return FOREVER if clip.loop and clip.end_q11 else 1
    return state.loops or FOREVER


def _speed_q16(state: StateRule) -> int:
    return ONE_Q16 if isinstance(state.speed, str) else min(round(state.speed * ONE_Q16), (1 << 31) - 1)


def _is_backward(state: StateRule) -> bool:
    return _speed_q16(state) < 0


def _stay(state: State, clip: GraphClip, graph: Resolved) -> Stay:
    if state.by_position:
        return Stay.of(NO_CLIP, FOREVER, 0)  # it reports no events
    speed = state.speed_q16 if state.speed_parameter is None else graph.parameters[state.speed_parameter].most
    return Stay.of(clip, state.loops, speed)


def _in_step(stays: Sequence[Stay], graph: Resolved) -> list[Stay]:
    """Returns the stays with the highest speed of each target of a fade in step: its own or a source's."""
    found = list(stays)
    for leaving in graph.transitions:
        if leaving.rule.kind == STEP:
            quickest = max(stays[state].per_us for state in (leaving.target, *leaving.sources))
            if quickest > found[leaving.target].per_us:
                found[leaving.target] = replace(found[leaving.target], per_us=quickest)
    return found


# ---- conditions ----


def _check_conditions(graph: Resolved, clips: Sequence[GraphClip], names: Sequence[str]) -> None:
    """Raises GraphProblem for conditions that the clips of their states cannot fulfil. clips: of each state."""
    for transition in graph.transitions:
        atoms = {atom for clause in transition.clauses for atom in clause}
        _check_passed_events(transition, graph)
        if any(atom.operation == FINISHED for atom in atoms):
            _check_finished(transition, graph, clips)
        for atom in atoms:
            if atom.operation in OF_EVENTS:
                _check_event(atom, transition, graph, clips, names)


def _check_passed_events(transition: Leaving, graph: Resolved) -> None:
    """Raises GraphProblem for a condition that a state cannot fulfil which it names: a blend, or one whose position is
    a parameter."""
    for state in (graph.states[number] for number in transition.named):
        if state.position is not None and any(atom.operation in OF_EVENTS for clause in transition.clauses
                                              for atom in clause):
            raise GraphProblem(f"{transition.rule.where} when: {state.name} passes no events, because {state.position} "
                               f"is its position; compare {state.position}")
        if state.blend is None:
            continue
        for atom in (atom for clause in transition.clauses for atom in clause):
            name = graph.events[atom.argument] if atom.operation in OF_EVENTS else ""
            if atom.operation == INSIDE:
                raise GraphProblem(f"{transition.rule.where} when: inside({name}): {state.name} blends clips, whose "
                                   "spans begin and end apart; use at() with a mark of sync")
            if atom.operation == AT and name not in state.blend.sync:
                raise GraphProblem(f"{transition.rule.where} when: at({name}): is no mark of the sync of {state.name}"
                                   f"{nearest(name, state.blend.sync)}")


def _check_finished(transition: Leaving, graph: Resolved, clips: Sequence[GraphClip]) -> None:
    endless = [state for state in transition.sources
               if graph.states[state].nothing or _speed_q16(graph.states[state]) == 0
               or _loops(graph.states[state], clips[state]) == FOREVER]
    stuck = [state for state in endless if state in transition.named]
    if not stuck and len(endless) < len(transition.sources):
        return
    state = graph.states[(stuck or endless)[0]]
    why, remedy = ("plays nothing", "wait for a time") if state.nothing else (
        "blends clips that loop", "wait for a mark or a time") if state.blend is not None else (
        "has its position from a parameter", "compare that") if state.position is not None else (
        "stands still", "give it a speed") if _speed_q16(state) == 0 else (
        f"plays {state.play} forever", "let it play once with loops = 1")
    raise GraphProblem(f"{transition.rule.where} when: finished never holds in {state.name}, which {why}; {remedy}, or "
                       f"remove {state.name} from from")


def _check_event(atom: Atom, transition: Leaving, graph: Resolved, clips: Sequence[GraphClip],
                 names: Sequence[str]) -> None:
    """Raises GraphProblem if none of the clips has the mark or the span."""
    name = graph.events[atom.argument]
    here = {clips[state].name: clips[state].events for state in transition.sources}
    call, kind, other_call, other = ("at", "mark", "inside", "span") if atom.operation == AT else \
        ("inside", "span", "at", "mark")
    what = f"{transition.rule.where} when: {call}({name})"
    events = [event for clip_events in here.values() for event in clip_events if event.name == name]
    if any(_is_kind(event, atom.operation) for event in events):
        return
    if events:
        raise GraphProblem(f"{what}: {name} is a {other}; use {other_call}({name})")
    played = " and ".join(dict.fromkeys(here))
    own = sorted({event.name for clip_events in here.values() for event in clip_events
                  if _is_kind(event, atom.operation)})
    if own or name not in names:
        raise GraphProblem(f"{what}: {played} has no such {kind}{nearest(name, own)}")
    raise GraphProblem(f"{what}: {played} has no such {kind}, only other clips; add it to the events of {played}, or "
                       "correct from")


def _is_kind(event: ClipEvent, operation: int) -> bool:
    return (event.end_q11 is None) == (operation == AT)


# ---- records ----


def _transition(leaving: Leaving, graph: Resolved, clip: GraphClip, names: Sequence[str]) -> Transition:
    rule = leaving.rule
    over_us = 0 if rule.kind == CUT else graph.rules.over_us if rule.over_us is None else rule.over_us
    if rule.kind == STEP:
        _check_step(leaving, graph, over_us)
    return Transition(leaving.target, rule.kind, over_us,
                      _start_q11(leaving, graph, clip), rule.hold_us,
                      tuple(_numbered(clause, graph.events, names) for clause in leaving.clauses))


def _check_step(leaving: Leaving, graph: Resolved, over_us: int) -> None:
    """Raises GraphProblem unless the states of a fade in step keep step."""
    what = f"{leaving.rule.where} kind = \"step\""
    if over_us == 0:
        raise GraphProblem(f"{what}: takes no time; give it over, or make it a cut")
    target = graph.states[leaving.target]
    for state in (target, *(graph.states[source] for source in leaving.sources)):
        if state.blend is None:
            raise GraphProblem(f"{what}: {state.name} does not blend clips, and thus has no step; use \"fade\", or "
                               "give it blend with its one clip, and sync")
        if state.blend.sync != _sync_of(target):
            raise GraphProblem(f"{what}: {state.name} and {target.name} keep step by other marks; give both the same "
                               "sync")


def _sync_of(state: StateRule) -> tuple[str, ...]:
    return () if state.blend is None else state.blend.sync


def _numbered(clause: Clause, events: Sequence[str], names: Sequence[str]) -> Clause:
    """Returns a clause with the numbers of events in the bank."""
    return tuple(Atom(atom.operation, atom.opposite, names.index(events[atom.argument]))
                 if atom.operation in OF_EVENTS else atom for atom in clause)


def _start_q11(leaving: Leaving, graph: Resolved, clip: GraphClip) -> int:
    """Returns the position at which the target of a transition begins."""
    state, start = graph.states[leaving.target], leaving.rule.start_at
    if state.position is not None and start is not None:
        raise GraphProblem(f"{leaving.rule.where} start_at = {start!r}: {state.position} is the position of "
                           f"{state.name}; remove start_at")
    if state.blend is not None:
        if start is not None:
            raise GraphProblem(f"{leaving.rule.where} start_at = {start!r}: {state.name} blends clips, which begin at "
                               "their first mark; remove start_at")
        return 0
    if start is None:
        return clip.end_q11 if _is_backward(state) else 0
    if len(graph.together(leaving.target)) > 1:
        raise GraphProblem(f"{leaving.rule.where} start_at = {start!r}: {leaving.rule.target} chooses one of several "
                           "clips, which begin at their starts; remove start_at")
    what = f"{leaving.rule.where} start_at = {start!r}"
    if isinstance(start, str):
        marks = {event.name: event.position_q11 for event in reversed(clip.events)}
        if start not in marks:
            raise GraphProblem(f"{what}: is no event of {clip.name}, which {state.name} plays, and no time"
                               f"{nearest(start, marks)}")
        return marks[start]
    seconds = clip.end_q11 / ONE_Q11 / clip.rate
    if start > seconds + 0.5 / clip.rate:
        raise GraphProblem(f"{what}: the clip {clip.name}, which {state.name} plays, lasts {seconds:g} s; give a time "
                           "in it")
    return min(round(start * clip.rate * ONE_Q11), clip.end_q11)


def _state(number: int, graph: Resolved, clip_number: int, clip: GraphClip, members: tuple[Member, ...]) -> State:
    rule = graph.states[number]
    leaving = [at for at, transition in enumerate(graph.transitions) if number in transition.sources]
    atoms = {atom for at in leaving for clause in graph.transitions[at].clauses for atom in clause}
    positions = sorted(set(_positions(atoms, graph, rule, clip)))
    times = sorted({atom.number for atom in atoms if atom.operation == AFTER})
    if len(positions) + len(times) > MOST_WATCHES:
        raise GraphProblem(f"{rule.where}: the conditions of its transitions name {len(positions)} positions in "
                           f"{clip.name} and {len(times)} times, but {MOST_WATCHES} together are possible; use fewer "
                           "marks, spans or times")
    parameters = [parameter.name for parameter in graph.parameters]
    if rule.nothing:
        return replace(nothing_of(rule.name), transitions=tuple(leaving), times_us=tuple(times))
    if rule.blend is not None:
        watched = any(atom.operation == AT for atom in atoms)
        by = [parameters.index(name) for name in rule.blend.by]
        return replace(blend_of(rule.name, by[0], members, by[1] if len(by) > 1 else None,
                                triangles_of(rule, rule.blend, members)),
                       transitions=tuple(leaving), positions_q11=(0,) if watched else (), times_us=tuple(times))
    driver = rule.speed if rule.position is None else rule.position
    return State(rule.name, clip_number, _loops(rule, clip), _speed_q16(rule),
                 parameters.index(driver) if isinstance(driver, str) else None, tuple(leaving),
                 tuple(positions), tuple(times), one_shot=rule.one_shot, by_position=rule.position is not None)


def _positions(atoms: Iterable[Atom], graph: Resolved, rule: StateRule, clip: GraphClip) -> Iterable[int]:
    """Yields the positions at which a condition of a state may change."""
    if rule.position is not None:
        return
    for atom in atoms:
        if atom.operation == FINISHED:
            yield 0 if _is_backward(rule) else clip.end_q11
        if atom.operation not in (AT, INSIDE):
            continue
        for event in clip.events:
            if event.name == graph.events[atom.argument] and _is_kind(event, atom.operation):
                yield from (event.position_q11,) if event.end_q11 is None else (event.position_q11, event.end_q11)
