"""The naming schemes of skeletons that tools and collections of motion have."""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Convention:
    """A naming scheme. joints: patterns of names that only its skeletons have together; `*` also matches nothing."""

    name: str
    joints: tuple[str, ...]


# The first that fits is the scheme, so that special schemes precede those whose names they contain. Blanks and dots are
# underscores, because exporters replace them.
CONVENTIONS = (
    Convention("Mixamo", ("mixamorig*Hips", "mixamorig*LeftUpLeg", "mixamorig*LeftForeArm")),
    Convention("Unreal mannequin", ("pelvis", "spine_01", "clavicle_l", "upperarm_l", "lowerarm_l", "thigh_l",
                                    "calf_l")),
    Convention("VRoid", ("J_Bip_C_Hips", "J_Bip_L_UpperLeg", "J_Bip_L_UpperArm")),
    Convention("Character Creator", ("CC_Base_Hip", "CC_Base_L_Thigh", "CC_Base_L_Upperarm")),
    Convention("Valve", ("ValveBiped_Bip01_Pelvis", "ValveBiped_Bip01_L_Thigh")),
    Convention("3ds Max Biped", ("*Bip*_Pelvis", "*Bip*_L_Thigh", "*Bip*_L_Calf", "*Bip*_L_UpperArm")),
    Convention("3ds Max CAT", ("*Pelvis", "*LThigh*", "*LCalf*", "*LCollarbone", "*LPalm")),
    Convention("Rigify", ("DEF-thigh_L", "DEF-shin_L", "DEF-upper_arm_L", "DEF-forearm_L")),
    Convention("Auto-Rig Pro", ("*arm_stretch_l", "*forearm_stretch_l", "*thigh_stretch_l", "*leg_stretch_l")),
    Convention("Blender metarig", ("upper_arm_L", "forearm_L", "thigh_L", "shin_L")),
    Convention("Daz", ("hip", "lThigh*", "lShin", "lShldr*", "lCollar")),
    Convention("CMU", ("LHipJoint", "LeftUpLeg", "LeftForeArm", "LowerBack")),
    Convention("CMU (ASF)", ("lfemur", "ltibia", "lhumerus", "lradius")),
    Convention("LaFAN1", ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToe", "LeftForeArm", "Spine2")),
    Convention("MotionBuilder", ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftForeArm")),
    Convention("Unity humanoid", ("Hips", "LeftUpperLeg", "LeftLowerLeg", "LeftUpperArm", "LeftLowerArm")),
    Convention("VRM humanoid", ("hips", "leftUpperLeg", "leftLowerLeg", "leftUpperArm", "leftLowerArm")),
    Convention("Quaternius", ("UpperLeg_L", "LowerLeg_L", "UpperArm_L", "LowerArm_L", "Abdomen", "Torso")),
    Convention("Bandai-Namco", ("Hips", "UpperLeg_L", "LowerLeg_L", "UpperArm_L", "LowerArm_L", "Shoulder_L")),
    Convention("KayKit", ("upperleg_l", "lowerleg_l", "upperarm_l", "lowerarm_l", "wrist_l")),
    Convention("SMPL", ("pelvis", "left_hip", "left_knee", "left_ankle", "left_collar", "left_elbow", "left_wrist")),
    Convention("100STYLE", ("Hips", "Chest4", "LeftHip", "LeftKnee", "LeftAnkle", "LeftElbow", "LeftWrist")),
)


def convention_of(names: Sequence[str]) -> str:
    """Returns the name of the scheme that a skeleton's names follow; empty if it is none of the table."""
    plain = [re.sub(r"[ .]", "_", re.split(r"\|", name)[-1]) for name in names]
    for convention in CONVENTIONS:
        if all(any(fnmatchcase(name, pattern) for name in plain) for pattern in convention.joints):
            return convention.name
    return ""
