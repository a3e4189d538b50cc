"""The clips that play once, starting and ending in a standing pose: Jump, Wave and Spin."""
from __future__ import annotations

import numpy as np

from . import legs, quat
from .clip import Arm, Clip, ClipBuilder
from .skeleton import INDEX, JOINTS, SIDES
from .tracks import RATE_HZ, curve

GRAVITY_M_S2 = 9.81
STAND = (0.0, -0.008, 0.0)


def _both_arms(clip: ClipBuilder, keys: dict[int, Arm]) -> None:
    for side, _ in SIDES:
        clip.arm(side, keys)


def _home(side: str) -> np.ndarray:
    return legs.ankle_home(side) * np.array([1.0, 0.0, 1.0])


def jump() -> Clip:
    """Returns a crouch, a leap with half a second of free flight, a soft landing, and straightening up."""
    take_off, landing, length = 16, 31, 54
    flight_s = (landing - take_off) / RATE_HZ
    rise, fall = (0.0, 0.070, 0.03), (0.0, 0.010, 0.0)
    up = (fall[1] - rise[1]) / flight_s + GRAVITY_M_S2 * flight_s / 2.0
    drift = (fall[2] - rise[2]) / flight_s
    clip = ClipBuilder("Jump", length, loop=False, sampled=True)
    clip.shift_hips(
        {0: STAND, 10: (0.0, -0.270, -0.050), take_off: rise, landing: fall,
         37: (0.0, -0.235, -0.045), 46: (0.0, -0.050, -0.005), length: STAND},
        {10: (0.0, 0.0, 0.0), take_off: (0.0, up, drift),
         landing: (0.0, up - GRAVITY_M_S2 * flight_s, drift), 37: (0.0, 0.0, 0.0)})
    clip.turn("hips", {0: (0, 0, 0), 10: (30, 0, 0), 16: (2, 0, 0), 23: (6, 0, 0), 31: (8, 0, 0),
                       37: (27, 0, 0), 46: (6, 0, 0), 54: (0, 0, 0)})
    clip.turn("spine", {0: (0, 0, 0), 10: (14, 0, 0), 17: (-6, 0, 0), 24: (4, 0, 0),
                        37: (13, 0, 0), 54: (0, 0, 0)})
    clip.turn("chest", {0: (0, 0, 0), 11: (10, 0, 0), 18: (-7, 0, 0), 25: (4, 0, 0),
                        38: (10, 0, 0), 54: (0, 0, 0)})
    clip.turn("neck", {0: (0, 0, 0), 10: (-14, 0, 0), 18: (2, 0, 0), 37: (-12, 0, 0),
                       54: (0, 0, 0)})
    clip.turn("head", {0: (0, 0, 0), 10: (-20, 0, 0), 17: (-10, 0, 0), 26: (4, 0, 0),
                       38: (-16, 0, 0), 54: (0, 0, 0)})
    _both_arms(clip, {0: Arm(), 9: Arm(-52, 10, 0, 12, 0), 16: Arm(95, -4, 0, 25, 0),
                      20: Arm(138, -20, 10, 18, 6), 27: Arm(80, 18, 0, 30, 0),
                      33: Arm(34, 30, 0, 34, 0), 39: Arm(-14, 16, 0, 30, 0), 54: Arm()})

    pitch = {0: 0, 11: 0, 16: 46, 19: 52, 24: 40, 31: 16, 33: 0, 54: 0}
    tuck = {16: 0.0, 24: 0.07, 31: 0.0}

    def foot_at(side: str, frame: int) -> legs.Foot:
        ground, lift = _home(side), 0.0
        if take_off < frame < landing:
            # In the air the feet hang from the hips, with the heights of take-off and landing.
            part = (frame - take_off) / (landing - take_off)
            offset = clip.hips_at(frame)[0] - JOINTS[INDEX["hips"]].head
            hanging = offset - (np.array(rise) * (1.0 - part) + np.array(fall) * part)
            lift = hanging[1] + curve(tuck, frame)
        return legs.rolled(side, ground, lift, curve(pitch, frame), 0.0,
                           curve({0: 0, 10: 14, 20: 2, 37: 14, 54: 0}, frame))

    clip.plant_legs(range(length + 1), foot_at)
    return clip.finish()


def wave() -> Clip:
    """Returns a greeting with the right arm, with the weight on the left leg."""
    length = 72
    clip = ClipBuilder("Wave", length, loop=False, sampled=True)
    clip.shift_hips({0: STAND, 16: (0.028, -0.014, 0.0), 56: (0.028, -0.014, 0.0), 72: STAND})
    clip.turn("hips", {0: (0, 0, 0), 16: (0, 3, 1.5), 56: (0, 3, 1.5), 72: (0, 0, 0)})
    clip.turn("spine", {0: (0, 0, 0), 18: (-1, 2, -4), 54: (-1, 2, -4), 72: (0, 0, 0)})
    clip.turn("chest", {0: (0, 0, 0), 19: (-2, 3, -4), 54: (-2, 3, -4), 72: (0, 0, 0)})
    clip.turn("neck", {0: (0, 0, 0), 20: (0, -4, 3), 56: (0, -4, 3), 72: (0, 0, 0)})
    clip.turn("head", {0: (0, 0, 0), 18: (3, -8, 7), 30: (-3, -6, 8), 42: (2, -8, 7),
                       56: (0, -6, 6), 72: (0, 0, 0)})
    raised = {"flex": 22.0, "twist": 92.0}
    clip.arm("right", {
        0: Arm(), 8: Arm(24, 14, 24, 50, 0), 15: Arm(abduct=84, elbow=84, wrist=4, **raised),
        20: Arm(abduct=92, elbow=58, wrist=-16, **raised),
        27: Arm(abduct=90, elbow=98, wrist=18, **raised),
        34: Arm(abduct=93, elbow=58, wrist=-18, **raised),
        41: Arm(abduct=90, elbow=98, wrist=18, **raised),
        48: Arm(abduct=92, elbow=62, wrist=-14, **raised),
        54: Arm(abduct=84, elbow=88, wrist=6, **raised),
        62: Arm(24, 26, 30, 52, 0), 72: Arm()})
    clip.arm("left", {0: Arm(), 18: Arm(-4, 6, 0, 10, 0), 54: Arm(-4, 6, 0, 10, 0), 72: Arm()})
    clip.plant_legs(range(0, length + 1, 4), lambda side, f: legs.rolled(side, _home(side), 0, 0),
                    "CUBICSPLINE")
    return clip.finish()


# The heading of the hips during the pirouette, in degrees: a wind-up to the right, then two full turns left.
_HEADING = {0: 0.0, 11: -28.0, 16: 0.0, 20: 75.0, 24: 170.0, 32: 365.0, 40: 550.0, 46: 655.0,
            51: 706.0, 57: 724.0, 66: 720.0, 72: 720.0}
# The yaw of the left foot, which turns on its ball and lags while the sole is on the ground.
_PIVOT = {0: 0.0, 15: 0.0, 20: 60.0, 24: 165.0, 32: 365.0, 40: 550.0, 46: 655.0, 51: 706.0,
          56: 720.0, 72: 720.0}


def spin() -> Clip:
    """Returns a double pirouette on the left foot: 720 degrees through every quaternion hemisphere."""
    length = 72
    clip = ClipBuilder("Spin", length, loop=False, sampled=True)
    toe = _home("left") + np.array([0.0, 0.0, legs.TOE_M])
    over = (float(toe[0]), float(toe[2]))
    clip.shift_hips({
        0: STAND, 11: (0.03, -0.150, 0.02), 19: (over[0] * 0.9, 0.040, over[1] * 0.9),
        24: (over[0], 0.080, over[1]), 44: (over[0], 0.080, over[1]),
        51: (over[0] * 0.6, 0.000, over[1] * 0.6), 57: (0.01, -0.120, 0.01),
        64: (0.0, -0.050, 0.0), 72: STAND})
    frames = [0, 6, 11, 14, *range(16, 54, 2), 57, 61, 66, 72]
    clip.turn("hips", {f: (0.0, curve(_HEADING, f), 0.0) for f in frames})
    for joint, share in (("spine", 0.8), ("chest", 1.0), ("upper_chest", 0.6)):
        clip.turn(joint, {0: (0, 0, 0), 10: (4, -14 * share, 0), 17: (0, 16 * share, 0),
                          24: (-1, 3 * share, 0), 44: (-1, 0, 0), 52: (2, 12 * share, 0),
                          59: (5, -3 * share, 0), 72: (0, 0, 0)})
    clip.turn("neck", {0: (0, 0, 0), 11: (-3, 18, 0), 18: (-2, -10, 0), 26: (-2, 0, 0),
                       46: (-2, 0, 0), 52: (-3, 8, 0), 72: (0, 0, 0)})
    # Spotting: the head faces the audience as long as it can, then turns quickly.
    clip.turn("head", {0: (0, 0, 0), 11: (-2, 30, 0), 17: (-2, -30, 0), 21: (-2, -62, 0),
                       26: (-2, 40, 0), 31: (-2, 10, 0), 36: (-2, -55, 0), 42: (-2, 48, 0),
                       47: (-2, 28, 0), 53: (-3, 0, 0), 72: (0, 0, 0)})
    first_position = Arm(50, 36, -40, 52, 10)
    clip.arm("left", {0: Arm(), 11: Arm(28, 62, -10, 22, 0), 17: Arm(20, 74, -10, 18, 0),
                      23: first_position, 45: first_position, 52: Arm(16, 66, -10, 20, 0),
                      60: Arm(10, 36, 0, 20, 0), 72: Arm()})
    clip.arm("right", {0: Arm(), 11: Arm(54, 10, -48, 58, 8), 17: Arm(34, 50, -20, 30, 0),
                       23: first_position, 45: first_position, 52: Arm(16, 66, -10, 20, 0),
                       60: Arm(10, 36, 0, 20, 0), 72: Arm()})
    clip.plant_legs(range(length + 1),
                    lambda side, f: _spin_foot(side, f, toe, *clip.hips_at(f)))
    return clip.finish()


def _spin_foot(side: str, frame: int, toe: np.ndarray, hips: np.ndarray,
               hips_rotation: np.ndarray) -> legs.Foot:
    knee_out = curve({0: 0, 11: 30, 24: 4, 44: 4, 57: 26, 72: 0}, frame)
    if side == "left":
        yaw = curve(_PIVOT, frame)
        reach = quat.rotate(quat.about(quat.Y_AXIS, yaw), np.array([0.0, 0.0, legs.TOE_M]))
        pitch = curve({0: 0, 14: 0, 20: 40, 24: 48, 44: 48, 51: 26, 56: 0, 72: 0}, frame)
        return legs.rolled(side, toe - reach, 0.0, pitch, yaw, knee_out)
    standing = legs.rolled(side, _home(side), curve({0: 0, 16: 0, 24: 0.3, 44: 0.3, 55: 0}, frame),
                           curve({0: 0, 12: 0, 18: 45, 24: 55, 46: 50, 55: 0}, frame), 0.0,
                           knee_out)
    tucked = legs.Foot(
        hips + quat.rotate(hips_rotation, np.array([0.005, -0.44, 0.07])),
        quat.mul(hips_rotation, quat.euler(62.0, -38.0, 0.0)), 62.0)
    u = curve({0: 0.0, 16: 0.0, 23: 1.0, 46: 1.0, 55: 0.0, 72: 0.0}, frame)
    return legs.Foot(standing.ankle * (1.0 - u) + tucked.ankle * u,
                     quat.nlerp(standing.rotation, tucked.rotation, u),
                     standing.knee_out_deg * (1.0 - u) + tucked.knee_out_deg * u)
