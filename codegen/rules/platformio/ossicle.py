"""A pre: script of PlatformIO: encodes the files of custom_ossicle_characters, TOML or source files, and builds
their C and the runtime with the project. See ../README.md."""
import os
import subprocess

Import("env")  # noqa: F821


def ossicle(*words):
    """Runs `ossicle build` on the characters and returns its output, or ends the build."""
    names = env.GetProjectOption("custom_ossicle_characters", "").split()
    files = [os.path.join(env.subst("$PROJECT_DIR"), name) for name in names]
    command = ["ossicle", "build", *files, "-o", env.subst(os.path.join("$BUILD_DIR", "ossicle")), *words]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=env["ENV"])
    print(ran.stderr, end="")
    if ran.returncode:
        env.Exit(1)
    return ran.stdout


# At this point, only the compiler of this computer is known.
compiler = ["--compiler", env.subst("$CC")] if env.GetProjectOption("platform", "") == "native" else []
listed = [line.replace("$", "$$").split("=", 1)  # otherwise SCons expands $ in names
          for line in ossicle("--list", *compiler).splitlines()]
if "header" not in dict(listed):
    print("custom_ossicle_characters: no C is generated; add generate = \".\" to the TOML file")
    env.Exit(1)
ossicle("--quiet")  # does not write unchanged files

folders = {}  # the sources by their folders, as BuildSources takes them
for kind, path in listed:
    if kind in ("source", "runtime"):
        folders.setdefault(os.path.dirname(os.path.abspath(path)), []).append(f"+<{os.path.basename(path)}>")
flags = " ".join(value for kind, value in listed if kind == "flag")
objects = os.path.join("$BUILD_DIR", "ossicle", "objects")


def with_flags(env, node):
    """Appends the flags of the target to the commands of our files, because env gets those of the board later."""
    if not node.get_abspath().startswith(env.subst(objects)):
        return node
    return env.Object(node, **{name: f"{env[name]} {flags}" for name in ("CCCOM", "ASPPCOM")})


env.AddBuildMiddleware(with_flags)
for folder, names in folders.items():
    env.BuildSources(os.path.join(objects, os.path.basename(folder)), folder, " ".join(names))
env.AppendUnique(CPPPATH=[path for kind, path in listed if kind in ("include", "runtime-include")],
                 CPPDEFINES=[name for kind, name in listed if kind == "define"],
                 CCFLAGS=["-ffunction-sections", "-fdata-sections"],
                 LINKFLAGS=["-Wl,--gc-sections"])  # drops unused code

# custom_ossicle_testing = yes adds a library with the media and the mocks for unit tests.
if env.GetProjectOption("custom_ossicle_testing", "no") == "yes":
    testing = subprocess.run(["ossicle", "paths", "testing"], stdout=subprocess.PIPE, text=True, check=True,
                             env=env["ENV"]).stdout.strip()
    env.AppendUnique(CPPPATH=[os.path.normpath(os.path.join(testing, name)) for name in (".", "..", "../media")])
    env.Prepend(LIBS=[
        env.BuildLibrary(os.path.join("$BUILD_DIR", "ossicle", name), os.path.join(testing, place), "+<*.c>")
        for name, place in (("testing", "."), ("media", "../media"))])
