"""People in the naming schemes of common tools, as far as their files have them: names, order and control bones."""
from __future__ import annotations

import numpy as np
from people import LEG, POSITIONS, Person, person

_FINGERS = ("Thumb", "Index", "Middle", "Ring", "Pinky")


def _listed(pattern: str) -> str:
    return " ".join(pattern.replace("?", finger) for finger in _FINGERS)


def _with_twists(made: Person, sides: dict[str, str], twists: dict[str, str]) -> Person:
    """Adds twist joints half of the way along the bones. twists: name by the part above it."""
    for side, word in sides.items():
        for part, name in twists.items():
            above, = made.parts[f"{side}_{part}"]
            along = POSITIONS[{"upper_arm": "lower_arm", "lower_arm": "hand", "upper_leg": "lower_leg",
                               "lower_leg": "foot"}[part]]
            sign = 1 if side == "left" else -1
            middle = (np.array(POSITIONS[part]) + along) / 2.0 * (sign, 1, 1)
            made.joint(f"{side}_twist", name.replace("*", word), above, middle)
    return made


def _unreal() -> Person:
    made = person("pelvis spine_01 spine_02 spine_03 spine_04 spine_05", "clavicle_* upperarm_* lowerarm_* hand_*",
                  "thigh_* calf_* foot_* ball_*", ("l", "r"), above="root", neck="neck_01 neck_02", head="head",
                  fingers="thumb_01_* index_metacarpal_* middle_metacarpal_*")
    _with_twists(made, {"left": "l", "right": "r"}, {
        "upper_arm": "upperarm_twist_01_*", "lower_arm": "lowerarm_twist_01_*", "upper_leg": "thigh_twist_01_*",
        "lower_leg": "calf_twist_01_*"})
    made.joint("", "ik_foot_root", "root", (0, 0, 0))
    made.joint("", "ik_hand_root", "root", (0, 0, 0))
    made.joint("", "ik_hand_gun", "ik_hand_root", (-0.55, 1.05, 0.02))
    for side, sign in (("l", 1), ("r", -1)):
        made.joint("", f"ik_foot_{side}", "ik_foot_root", (sign * 0.1, 0.08, 0))
        made.joint("", f"ik_hand_{side}", "ik_hand_gun", (sign * 0.55, 1.05, 0.02))
        made.joint("", f"calf_kneeBack_{side}", f"calf_{side}", (sign * 0.1, 0.48, -0.05))
    return made


def _vroid() -> Person:
    made = person("J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_UpperChest",
                  "J_Bip_*_Shoulder J_Bip_*_UpperArm J_Bip_*_LowerArm J_Bip_*_Hand",
                  "J_Bip_*_UpperLeg J_Bip_*_LowerLeg J_Bip_*_Foot J_Bip_*_ToeBase", ("L", "R"), above="Root",
                  neck="J_Bip_C_Neck", head="J_Bip_C_Head", fingers="J_Bip_*_Thumb1 J_Bip_*_Index1 J_Bip_*_Little1")
    for side, sign in (("L", 1), ("R", -1)):
        made.joint("", f"J_Adj_{side}_FaceEye", "J_Bip_C_Head", (sign * 0.03, 1.66, 0.08))
        made.joint("", f"J_Sec_{side}_Bust1", "J_Bip_C_UpperChest", (sign * 0.06, 1.3, 0.1))
        made.joint("", f"J_Sec_{side}_SkirtSide0_01", f"J_Bip_{side}_UpperLeg", (sign * 0.16, 0.8, 0))
        made.joint("", f"J_Sec_{side}_SkirtSide1_01", f"J_Sec_{side}_SkirtSide0_01", (sign * 0.18, 0.6, 0))
    made.joint("", "J_Sec_Hair1_01", "J_Bip_C_Head", (0, 1.75, -0.05))
    return made


def _rigify() -> Person:
    """Blender's own rig, exported with only deforming bones: limbs in two segments, no name for hips, neck and head."""
    made = person("DEF-spine DEF-spine.001 DEF-spine.002 DEF-spine.003", "DEF-shoulder.* DEF-upper_arm.*",
                  "DEF-thigh.*", ("L", "R"), neck="DEF-spine.004 DEF-spine.005", head="DEF-spine.006")
    made.joint("", "root", "", (0, 0, 0))
    for side, word, sign in (("left", "L", 1), ("right", "R", -1)):
        at = {part: np.array(position) * (sign, 1, 1) for part, position in POSITIONS.items()}
        parent = f"DEF-upper_arm.{word}"
        for part, name, position in (
                ("twist", f"DEF-upper_arm.{word}.001", (at["upper_arm"] + at["lower_arm"]) / 2),
                ("lower_arm", f"DEF-forearm.{word}", at["lower_arm"]),
                ("twist", f"DEF-forearm.{word}.001", (at["lower_arm"] + at["hand"]) / 2),
                ("hand", f"DEF-hand.{word}", at["hand"])):
            parent = made.joint(f"{side}_{part}", name, parent, position)
        made.joint("", f"DEF-palm.01.{word}", parent, at["hand"] + (sign * 0.02, -0.02, 0.02))
        for finger in ("thumb.01", "f_index.01"):
            made.joint(f"{side}_fingers", f"DEF-{finger}.{word}", parent, at["hand"] + (sign * 0.05, -0.05, 0.02))
        parent = f"DEF-thigh.{word}"
        for part, name, position in (
                ("twist", f"DEF-thigh.{word}.001", (at["upper_leg"] + at["lower_leg"]) / 2),
                ("lower_leg", f"DEF-shin.{word}", at["lower_leg"]),
                ("twist", f"DEF-shin.{word}.001", (at["lower_leg"] + at["foot"]) / 2),
                ("foot", f"DEF-foot.{word}", at["foot"]), ("toes", f"DEF-toe.{word}", at["toes"])):
            parent = made.joint(f"{side}_{part}", name, parent, position)
        made.joint("", f"DEF-pelvis.{word}", "DEF-spine", (sign * 0.08, 1.0, 0.05))
        made.joint("", f"DEF-breast.{word}", "DEF-spine.003", (sign * 0.08, 1.3, 0.1))
        for control in ("hand_ik", "foot_ik", "thigh", "upper_arm_fk", "foot_heel_ik"):
            made.joint("", f"{control}.{word}", "root", at["hand" if "arm" in control or "hand" in control else "foot"])
    for control in ("hips", "chest", "head"):
        made.joint("", control, "root", (0, 1.0, 0))
    return made


def _auto_rig() -> Person:
    """Twist joints above the joints of upper arm and thigh, at the shoulder and the hip."""
    made = person("root.x spine_01.x spine_02.x spine_03.x", "shoulder.*", "", ("l", "r"), above="c_traj",
                  neck="neck.x", head="head.x")
    for side, word, sign in (("left", "l", 1), ("right", "r", -1)):
        at = {part: np.array(position) * (sign, 1, 1) for part, position in POSITIONS.items()}
        for limb, parent, (upper, lower, end) in (
                ("arm", f"shoulder.{word}", ("upper_arm", "lower_arm", "hand")),
                ("leg", "root.x", ("upper_leg", "lower_leg", "foot"))):
            names = {"arm": ("arm", "forearm", "hand"), "leg": ("thigh", "leg", "foot")}[limb]
            for part, name, position in (
                    (upper, f"{names[0]}_twist.{word}", at[upper]),
                    ("twist", f"{names[0]}_stretch.{word}", (at[upper] + at[lower]) / 2),
                    (lower, f"{names[1]}_stretch.{word}", at[lower]),
                    ("twist", f"{names[1]}_twist.{word}", (at[lower] + at[end]) / 2),
                    (end, f"{names[2]}.{word}", at[end])):
                parent = made.joint(f"{side}_{part}", name, parent, position)
        made.joint(f"{side}_toes", f"toes_01.{word}", f"foot.{word}", at["toes"])
        made.joint(f"{side}_fingers", f"thumb1.{word}", f"hand.{word}", at["hand"] + (sign * 0.03, 0, 0.03))
        made.joint(f"{side}_fingers", f"c_thumb2.{word}", f"thumb1.{word}", at["hand"] + (sign * 0.05, 0, 0.04))
    return made


def _biped() -> Person:
    """Thighs that hang from the spine, and collar bones from the neck."""
    made = Person()
    middle = made.chain(["", "", "hips", "trunk", "trunk", "neck", "head"], [
        f"Bip001{name}" for name in ("", " Pelvis", " Spine", " Spine1", " Spine2", " Neck", " Head")], "", [
        (0, 0.95, 0), (0, 0.95, 0), (0, 1.0, 0), (0, 1.15, 0), (0, 1.3, 0), (0, 1.5, 0), POSITIONS["head"]])
    made.joint("", "Bip001 HeadNub", middle, (0, 1.8, 0))
    made.joint("", "Bip001 Footsteps", "Bip001", (0, 0, 0))
    for side, word, sign in (("left", "L", 1), ("right", "R", -1)):
        at = {part: tuple(np.array(position) * (sign, 1, 1)) for part, position in POSITIONS.items()}
        arm = ("clavicle", "upper_arm", "lower_arm", "hand")
        hand = made.chain([f"{side}_{part}" for part in arm], [
            f"Bip001 {word} {name}" for name in ("Clavicle", "UpperArm", "Forearm", "Hand")], "Bip001 Neck",
            [at[part] for part in arm])
        for finger in ("0", "1"):
            first = made.joint(f"{side}_fingers", f"Bip001 {word} Finger{finger}", hand, at["hand"])
            second = made.joint(f"{side}_fingers", f"Bip001 {word} Finger{finger}1", first, at["hand"])
            made.joint("", f"Bip001 {word} Finger{finger}Nub", second, at["hand"])
        made.joint(f"{side}_twist", f"Bip001 {word} ForeTwist", f"Bip001 {word} Forearm", at["lower_arm"])
        toes = made.chain([f"{side}_{part}" for part in LEG], [
            f"Bip001 {word} {name}" for name in ("Thigh", "Calf", "Foot", "Toe0")], "Bip001 Spine",
            [at[part] for part in LEG])
        made.joint("", f"Bip001 {word} Toe0Nub", toes, at["toes"])
    return made


def _quaternius() -> Person:
    """Feet that hang from the root, because inverse kinematics moved them; the hips carry only the legs."""
    made = person("Body Abdomen Torso", "Shoulder.* UpperArm.* LowerArm.* Palm.*", "", ("L", "R"), above="Bone",
                  neck="Neck", head="Head")
    made.joint("", "Hips", "Body", (0, 0.93, 0))
    for side, word, sign in (("left", "L", 1), ("right", "R", -1)):
        at = {part: tuple(np.array(position) * (sign, 1, 1)) for part, position in POSITIONS.items()}
        lower = made.chain([f"{side}_upper_leg", f"{side}_lower_leg"], [f"UpperLeg.{word}", f"LowerLeg.{word}"], "Hips",
                           [at["upper_leg"], at["lower_leg"]])
        made.joint("", f"LowerLeg.{word}_end", lower, at["foot"])
        made.joint(f"{side}_foot", f"Foot.{word}", "Bone", at["foot"])
        made.joint("", f"PoleTarget.{word}", "Bone", (sign * 0.1, 0.5, 0.6))
        made.joint("", f"Palm.{word}_end", f"Palm.{word}", (sign * 0.6, 1.0, 0.02))
    return made


def _kaykit() -> Person:
    made = person("hips spine chest", "- upperarm.* lowerarm.* wrist.*", "upperleg.* lowerleg.* foot.* toes.*",
                  ("l", "r"), above="root", head="head")
    for word, sign in (("l", 1), ("r", -1)):
        made.joint("", f"hand.{word}", f"wrist.{word}", (sign * 0.6, 1.0, 0.02))
        made.joint("", f"handslot.{word}", f"hand.{word}", (sign * 0.63, 0.98, 0.02))
        made.joint("", f"kneeIK.{word}", "root", (sign * 0.1, 0.5, 0.6))
        parent = "root"
        for name, position in (("control-toe-roll", (0.11, 0.02, 0.24)), ("control-heel-roll", (0.1, 0.02, -0.05)),
                               ("control-foot-roll", (0.11, 0.02, 0.14)), ("IK-foot", (0.1, 0.08, 0))):
            parent = made.joint("", f"{name}.{word}", parent, np.array(position) * (sign, 1, 1))
        made.joint("", f"elbowIK.{word}", "root", (sign * 0.37, 1.2, -0.6))
        made.joint("", f"handIK.{word}", "root", (sign * 0.55, 1.05, 0.02))
    return made


def _cmu() -> Person:
    """Joints without length between hips, legs and spine."""
    made = Person()
    made.joint("hips", "Hips", "", POSITIONS["hips"])
    made.chain(["trunk", "trunk", "trunk", "neck", "neck", "head"],
               ["LowerBack", "Spine", "Spine1", "Neck", "Neck1", "Head"], "Hips",
               [(0, 0.95, 0), (0, 1.1, 0), (0, 1.35, 0), (0, 1.35, 0), (0, 1.5, 0), POSITIONS["head"]])
    for side, word, sign in (("left", "Left", 1), ("right", "Right", -1)):
        at = {part: tuple(np.array(position) * (sign, 1, 1)) for part, position in POSITIONS.items()}
        made.joint("", f"{word[0]}HipJoint", "Hips", POSITIONS["hips"])
        made.chain([f"{side}_{part}" for part in LEG], [
            f"{word}{name}" for name in ("UpLeg", "Leg", "Foot", "ToeBase")], f"{word[0]}HipJoint",
            [at[part] for part in LEG])
        arm = ("clavicle", "upper_arm", "lower_arm", "hand")
        made.chain([f"{side}_{part}" for part in arm], [
            f"{word}{name}" for name in ("Shoulder", "Arm", "ForeArm", "Hand")], "Spine1",
            [(0, 1.35, 0), *(at[part] for part in arm[1:])])
        made.joint(f"{side}_fingers", f"{word[0]}Thumb", f"{word}Hand", at["hand"])
        made.joint(f"{side}_fingers", f"{word}FingerBase", f"{word}Hand", at["hand"])
        made.joint(f"{side}_fingers", f"{word[0]}Fingers", f"{word}FingerBase",
                   np.array(at["hand"]) + (sign * 0.07, 0, 0))
    return made


def _cat() -> Person:
    """Bones in several segments."""
    made = person("HumanPelvis HumanSpine1 HumanSpine2 HumanRibcage", "Human*Collarbone Human*Upperarm", "", ("L", "R"),
                  neck="HumanNeck1", head="HumanHead")
    for side, word, sign in (("left", "L", 1), ("right", "R", -1)):
        at = {part: np.array(position) * (sign, 1, 1) for part, position in POSITIONS.items()}
        made.chain([f"{side}_{part}" for part in ("lower_arm", "twist", "hand", "fingers")], [
            f"Human{word}{name}" for name in ("Forearm1", "Forearm2", "Palm", "Digit11")], f"Human{word}Upperarm", [
            at["lower_arm"], (at["lower_arm"] + at["hand"]) / 2, at["hand"], at["hand"] + (sign * 0.03, 0, 0.02)])
        made.chain([f"{side}_{part}" for part in ("upper_leg", "twist", "lower_leg", "foot", "toes")], [
            f"Human{word}{name}" for name in ("Thigh1", "Thigh2", "Calf", "Foot", "Toe")], "HumanPelvis", [
            at["upper_leg"], (at["upper_leg"] + at["lower_leg"]) / 2, at["lower_leg"], at["foot"], at["toes"]])
    return made


def _daz() -> Person:
    """Hips that carry a pelvis beside the trunk, and limbs in a bending and a twisting joint."""
    made = person("hip abdomenLower abdomenUpper chestLower chestUpper", "*Collar *ShldrBend", "", ("l", "r"),
                  neck="neckLower neckUpper", head="head")
    made.joint("", "pelvis", "hip", (0, 0.94, 0))
    for side, word, sign in (("left", "l", 1), ("right", "r", -1)):
        at = {part: np.array(position) * (sign, 1, 1) for part, position in POSITIONS.items()}
        made.chain([f"{side}_{part}" for part in ("twist", "lower_arm", "twist", "hand", "fingers")], [
            f"{word}{name}" for name in ("ShldrTwist", "ForearmBend", "ForearmTwist", "Hand", "Thumb1")],
            f"{word}ShldrBend", [
                (at["upper_arm"] + at["lower_arm"]) / 2, at["lower_arm"], (at["lower_arm"] + at["hand"]) / 2,
                at["hand"], at["hand"] + (sign * 0.03, 0, 0.02)])
        made.chain([f"{side}_{part}" for part in ("upper_leg", "twist", "lower_leg", "foot")], [
            f"{word}{name}" for name in ("ThighBend", "ThighTwist", "Shin", "Foot")], "pelvis",
            [at["upper_leg"], (at["upper_leg"] + at["lower_leg"]) / 2, at["lower_leg"], at["foot"]])
        made.joint("", f"{word}Metatarsals", f"{word}Foot", at["foot"] + (0, -0.03, 0.08))
        made.joint(f"{side}_toes", f"{word}Toe", f"{word}Metatarsals", at["toes"])
        made.joint("", f"{word}BigToe", f"{word}Toe", at["toes"] + (0, 0, 0.05))
    return made


SCHEMES = {
    "Mixamo": person("mixamorig:Hips mixamorig:Spine mixamorig:Spine1 mixamorig:Spine2",
                     "mixamorig:*Shoulder mixamorig:*Arm mixamorig:*ForeArm mixamorig:*Hand",
                     "mixamorig:*UpLeg mixamorig:*Leg mixamorig:*Foot mixamorig:*ToeBase", ("Left", "Right"),
                     neck="mixamorig:Neck", head="mixamorig:Head", fingers=_listed("mixamorig:*Hand?1")),
    "Unreal mannequin": _unreal(),
    "Unity humanoid": person("Hips Spine Chest UpperChest", "*Shoulder *UpperArm *LowerArm *Hand",
                             "*UpperLeg *LowerLeg *Foot *Toes", ("Left", "Right"), neck="Neck", head="Head",
                             fingers="*ThumbProximal *IndexProximal *MiddleProximal *RingProximal *LittleProximal"),
    "VRM humanoid": person("hips spine chest upperChest", "*Shoulder *UpperArm *LowerArm *Hand",
                           "*UpperLeg *LowerLeg *Foot *Toes", ("left", "right"), neck="neck", head="head"),
    "VRoid": _vroid(),
    "Rigify": _rigify(),
    "Auto-Rig Pro": _auto_rig(),
    "3ds Max Biped": _biped(),
    "3ds Max CAT": _cat(),
    "CMU": _cmu(),
    "CMU (ASF)": person("root lowerback upperback thorax", "*clavicle *humerus *radius *hand",
                        "*femur *tibia *foot *toes", ("l", "r"), neck="lowerneck upperneck", head="head",
                        fingers="*thumb *fingers"),
    "LaFAN1": person("Hips Spine Spine1 Spine2", "*Shoulder *Arm *ForeArm *Hand", "*UpLeg *Leg *Foot *Toe",
                     ("Left", "Right"), neck="Neck", head="Head"),
    "MotionBuilder": person("Hips Spine Spine1", "*Shoulder *Arm *ForeArm *Hand", "*UpLeg *Leg *Foot *ToeBase",
                            ("Left", "Right"), above="Reference", neck="Neck", head="Head",
                            fingers="*HandThumb1 *InHandIndex"),
    "Bandai-Namco": person("Hips Spine Chest", "Shoulder_* UpperArm_* LowerArm_* Hand_*",
                           "UpperLeg_* LowerLeg_* Foot_* Toes_*", ("L", "R"), above="joint_Root", neck="Neck",
                           head="Head"),
    "KayKit": _kaykit(),
    "Quaternius": _quaternius(),
    "SMPL": person("pelvis spine1 spine2 spine3", "*_collar *_shoulder *_elbow *_wrist",
                   "*_hip *_knee *_ankle *_foot", ("left", "right"), neck="neck", head="head"),
    "100STYLE": person("Hips Chest Chest2 Chest3 Chest4", "*Collar *Shoulder *Elbow *Wrist",
                       "*Hip *Knee *Ankle *Toe", ("Left", "Right"), neck="Neck", head="Head"),
    "Daz": _daz(),
    "Character Creator": person("CC_Base_Hip CC_Base_Waist CC_Base_Spine01 CC_Base_Spine02",
                                "CC_Base_*_Clavicle CC_Base_*_Upperarm CC_Base_*_Forearm CC_Base_*_Hand",
                                "CC_Base_*_Thigh CC_Base_*_Calf CC_Base_*_Foot CC_Base_*_ToeBase", ("L", "R"),
                                above="CC_Base_BoneRoot", neck="CC_Base_NeckTwist01 CC_Base_NeckTwist02",
                                head="CC_Base_Head", fingers="CC_Base_*_Thumb1 CC_Base_*_Index1"),
    "Valve": person("ValveBiped.Bip01_Pelvis ValveBiped.Bip01_Spine ValveBiped.Bip01_Spine1 ValveBiped.Bip01_Spine2",
                    "ValveBiped.Bip01_*_Clavicle ValveBiped.Bip01_*_UpperArm ValveBiped.Bip01_*_Forearm "
                    "ValveBiped.Bip01_*_Hand", "ValveBiped.Bip01_*_Thigh ValveBiped.Bip01_*_Calf "
                    "ValveBiped.Bip01_*_Foot ValveBiped.Bip01_*_Toe0", ("L", "R"), neck="ValveBiped.Bip01_Neck1",
                    head="ValveBiped.Bip01_Head1", fingers="ValveBiped.Bip01_*_Finger0 ValveBiped.Bip01_*_Finger1"),
    "Blender metarig": person("spine spine.001 spine.002 spine.003", "shoulder.* upper_arm.* forearm.* hand.*",
                              "thigh.* shin.* foot.* toe.*", ("L", "R"), neck="spine.004 spine.005", head="spine.006"),
}

_PLAIN = person("hips spine chest", "*|shoulder *|upper_arm *|lower_arm *|hand",
                "*|upper_leg *|lower_leg *|foot *|toes", ("left", "right"), neck="neck", head="head")


def _plain(pattern: str, left: str, right: str) -> Person:
    """Returns a person with these words for the sides. pattern: of names, with a side or without; `*` stands for the
    side, `?` for the part."""
    def name(plain: str) -> str:
        side, part = plain.split("|") if "|" in plain else ("", plain)
        words = {"": "", "left": left, "right": right}
        text = part.title().replace("_", "") if "^" in pattern else part
        return pattern.replace("^", "").replace("*", words[side]).replace("?", text).strip("._- ")
    return _PLAIN.renamed(name)


# Left and right in any position, in names of plain English.
PLAIN = {pattern + left: _plain(pattern, left, right) for pattern, left, right in (
    ("*_?", "left", "right"), ("?_*", "left", "right"), ("?.*", "L", "R"), ("?-*", "LEFT", "RIGHT"),
    ("*?^", "Left", "Right"), ("?*^", "Left", "Right"), ("?_*^", "l", "r"), ("b_*_?", "l", "r"), ("*?", "l", "r"),
    ("jnt_*_?_01", "lf", "rt"), ("Character1:*?^", "L", "R"), ("?*", "left", "right"))}


def _trees() -> Person:
    """Legs that are trees of their own."""
    made = person("Hips Ab Chest", "*Collar *Shoulder *Elbow *Wrist", "", ("Left", "Right"), neck="Neck", head="Head")
    for side, word, sign in (("left", "Left", 1), ("right", "Right", -1)):
        made.chain([f"{side}_{part}" for part in LEG], [f"{word}{name}" for name in ("Hip", "Knee", "Ankle", "Toes")],
                   "", [tuple(np.array(POSITIONS[part]) * (sign, 1, 1)) for part in LEG])
    return made


# Schemes of other tools, read word by word.
OTHERS = {
    "trees": _trees(),
    "Advanced Skeleton": person("Root_M Spine1_M Spine2_M Chest_M", "Scapula_* Shoulder_* Elbow_* Wrist_*",
                                "Hip_* Knee_* Ankle_* Toes_*", ("L", "R"), neck="Neck_M", head="Head_M",
                                fingers="ThumbFinger1_* IndexFinger1_*"),
    "Kinect": person("PELVIS SPINE_NAVAL SPINE_CHEST", "CLAVICLE_* SHOULDER_* ELBOW_* WRIST_*",
                     "HIP_* KNEE_* ANKLE_* FOOT_*", ("LEFT", "RIGHT"), neck="NECK", head="HEAD"),
    "Second Life": person("mPelvis mTorso mChest", "mCollar* mShoulder* mElbow* mWrist*",
                          "mHip* mKnee* mAnkle* mToe*", ("Left", "Right"), neck="mNeck", head="mHead"),
    "ARKit": person("hips_joint spine_1_joint spine_2_joint spine_7_joint",
                    "*_shoulder_1_joint *_arm_joint *_forearm_joint *_hand_joint",
                    "*_upLeg_joint *_leg_joint *_foot_joint *_toes_joint", ("left", "right"), above="root",
                    neck="neck_1_joint neck_4_joint", head="head_joint",
                    fingers="*_handThumbStart_joint *_handIndexStart_joint"),
    "Roblox": person("LowerTorso UpperTorso", "- *UpperArm *LowerArm *Hand", "*UpperLeg *LowerLeg *Foot",
                     ("Left", "Right"), above="HumanoidRootPart", head="Head"),
    "Xsens": person("Hips L5 L3 T12 T8", "*Shoulder *UpperArm *ForeArm *Hand", "*UpperLeg *LowerLeg *Foot *Toe",
                    ("Left", "Right"), neck="Neck", head="Head"),
    "Poser": person("hip abdomen chest", "*Collar *Shldr *ForeArm *Hand", "*Thigh *Shin *Foot *Toe", ("l", "r"),
                    neck="neck", head="head"),
    "Sketchfab": person("Hips_01 Spine_02 Chest_03", "Shoulder.*_04 UpperArm.*_05 LowerArm.*_06 Hand.*_07",
                        "UpperLeg.*_08 LowerLeg.*_09 Foot.*_010 Toe.*_011", ("L", "R"), above="_rootJoint",
                        neck="Neck_012", head="Head_013"),
}
