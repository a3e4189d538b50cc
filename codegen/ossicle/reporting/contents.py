"""Formats the tables of `ossicle inspect`, the content of a bank."""
from __future__ import annotations

from typing import Any


from ..bank.graph.steps import WorstStep
from .breaks import break_table
from .graph_tables import graph_tables
from .names import printable
from .tables import Table


def inspect_tables(description: dict[str, Any]) -> list[Table]:
    """Returns tables of the result of `describe`: sections, tiers, joints, clips, and the content of clips."""
    sections = Table([("section", "left"), ("bytes", "right"), ("", "left")])
    for section in description["sections"]:
        sections.add_row(printable(section["tag"]), f"{section['bytes']:,}",
                         "required" if section["required"] else "optional")
    joints = Table([("joint", "left"), ("parent", "left"), ("animated tracks", "left")])
    names = [printable(joint["name"]) for joint in description["joints"]]
    for name, joint in zip(names, description["joints"]):
        parent = joint["parent"]
        joints.add_row(name, "-" if parent is None else names[parent],
                       " ".join(joint["subtracks"]))
    clips = Table([("clip", "left"), ("hash", "left"), ("frames", "right"), ("rate", "right"),
                   ("codec", "left"), ("bytes", "right"), ("state words", "right"),
                   ("loop", "left"), ("mode", "left"), ("animated", "right"), ("constant", "right"),
                   ("breaks", "right"), *([("tiers", "left")] if description["tiers"] else []),
                   *([("", "left")] if any(clip["additive"] or clip["mirror_of"] for clip in description["clips"])
                     else [])])
    for clip in description["clips"]:
        additive = [printable(clip["additive"])] if clip["additive"] else [
            printable(f"mirror image of {clip['mirror_of']}")] if clip["mirror_of"] else []
        tiers = [" ".join(map(str, clip["tiers"]))] if description["tiers"] else []
        clips.add_row(printable(clip["name"]), clip["hash"], f"{clip['frames']}", f"{clip['rate']:g}",
                      clip["codec"], f"{clip['bytes']:,}", f"{clip['state_words']:,}",
                      "yes" if clip["loop"] else "", clip["mode"],
                      f"{clip['animated_tracks']}", f"{clip['constant_tracks']}",
                      f"{len(clip['breaks']) or ''}", *tiers, *additive)
    head = (f"format {description['format']}, {description['bytes']:,} bytes, "
            f"crc {description['crc']}, layout {description['layout_crc']}, a player takes "
            f"{description['player_bytes']:,} bytes on a 32-bit machine, "
            f"{description['state_words']:,} words of them codec state")
    return [sections.titled(head), *_tier_tables(description), joints.titled("joints"), clips.titled("clips"),
            *_break_tables(description), *_curve_tables(description), *_trajectory_tables(description),
            *_event_tables(description), *_graph_tables(description)]


def _graph_tables(description: dict[str, Any]) -> list[Table]:
    if description["graph"] is None:
        return []
    return graph_tables(description["graph"], description["character_bytes"], WorstStep(**description["worst_step"]))


def _break_tables(description: dict[str, Any]) -> list[Table]:
    """Returns the breaks of the result of `describe`, if any."""
    rows = break_table([(clip["name"], clip["rate"],
                         [(item["frame"], item["joint"], item["kind"]) for item in clip["breaks"]])
                        for clip in description["clips"]])
    return [rows.titled("breaks")] if rows else []


def _curve_tables(description: dict[str, Any]) -> list[Table]:
    """Returns the curves of the result of `describe`, if any."""
    rows = Table([("curve", "left"), ("at rest", "right"), ("", "left")])
    for curve in description["curves"]:
        rows.add_row(printable(curve["name"]), f"{curve['at_rest']:g}", "animated" if curve["animated"] else "")
    return [rows.titled("curves")] if rows.rows else []


def _trajectory_tables(description: dict[str, Any]) -> list[Table]:
    """Returns the trajectories of the result of `describe`, if any."""
    rows = Table([("clip", "left"), ("moves by", "left"), ("keys", "right"), ("bytes", "right")])
    for clip in description["clips"]:
        if motion := clip["trajectory"]:
            parts = [f"{name} {end:.3f} {'turns' if name == 'yaw' else 'm'}"
                     for name, end in zip(motion["components"], motion["end"])]
            rows.add_row(printable(clip["name"]), ", ".join(parts), f"{motion['segments']}", f"{motion['size_bytes']}")
    return [rows.titled("trajectories")] if rows.rows else []


def _event_tables(description: dict[str, Any]) -> list[Table]:
    """Returns the events of the result of `describe`, if any."""
    rows = Table([("clip", "left"), ("event", "left"), ("frame", "right"), ("until", "right"), ("value", "right")])
    for clip in description["clips"]:
        for event in clip["events"]:
            until = "" if event["until"] is None else f"{event['until']:g}"
            rows.add_row(printable(clip["name"]), printable(event["name"]), f"{event['frame']:g}", until,
                         f"{event['value']}")
    return [rows.titled("events")] if rows.rows else []


def _tier_tables(description: dict[str, Any]) -> list[Table]:
    """Returns the base and the tiers of the result of `describe`, if any."""
    if not description["tiers"]:
        return []
    rows = Table([("tier", "left"), ("", "left"), ("bytes", "right"), ("chunks", "right"), ("error mm", "right")])
    rows.add_row("base", "", "", "", f"{description['base_error_mm']:.4f}")
    for number, tier in enumerate(description["tiers"], 1):
        rows.add_row(f"{number}", "in the bank" if tier["in_bank"] else "elsewhere", f"{tier['bytes']:,}",
                     f"{len(tier['chunks']):,}", f"{tier['error_mm']:.4f}")
    blocks = max(chunk["block"] for tier in description["tiers"] for chunk in tier["chunks"] or [{"block": 0}])
    parts = f", clips in blocks of {description['block_frames']:,} frames" if blocks else ""
    return [rows.titled(f"tiers{parts}")]
