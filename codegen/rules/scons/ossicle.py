"""A tool for SCons: env.Ossicle("hero.toml", ...) encodes TOML or source files and returns their objects
and the runtime's, for env.Program. See ../README.md. OSSICLE is the command, OSSICLE_DIR the folder of the outputs."""
import os
import subprocess

import SCons.Errors

_CHECKOUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../build/bin/ossicle")

_WITH_FLAGS = {}  # environments of _with_flags


def _listed(env, command):
    """Returns the files and flags of `ossicle build --list` by kind."""
    ran = subprocess.run([*command, "--list", "--compiler", env.subst("$CC")], capture_output=True, text=True,
                         check=False,
                         cwd=env.Dir("#").abspath, env=env["ENV"])
    if ran.returncode:
        raise SCons.Errors.UserError(ran.stderr.strip())
    if ran.stderr:
        print(ran.stderr.strip())
    files = {}
    for line in ran.stdout.splitlines():
        kind, path = line.split("=", 1)
        files.setdefault(kind, []).append(path)
    return files


def _from_root(env, paths):
    """Returns the files of these paths, without env.File, which runs `${..}` in a name as Python."""
    root = env.Dir("#")
    return [root.File(os.path.join(root.abspath, path)) for path in paths]


def _with_flags(env, flags):
    """Returns a copy of env with the flags of the target appended to its commands; cached, so that programs can share
    objects."""
    key = (id(env), flags)
    if key not in _WITH_FLAGS:
        _WITH_FLAGS[key] = env.Override({name: f"{env[name]} {flags}" for name in ("CCCOM", "ASPPCOM")})
    return _WITH_FLAGS[key]


def ossicle(env, *characters):
    """Returns the objects of the characters and of the runtime, and adds to the flags of env."""
    files = [env.File(one) for one in env.Flatten(characters)]
    folder = env.Dir(env["OSSICLE_DIR"])
    command = [env.subst("$OSSICLE"), "build", *(file.srcnode().abspath for file in files),
               "-o", folder.abspath]
    listed = _listed(env, command)
    if "header" not in listed:
        raise SCons.Errors.UserError(f"{files[0]}: no C is generated; add generate = \".\"")
    outputs = [path for kind in ("manifest", "header", "source", "bank", "image")
               for path in listed.get(kind, [])]

    def encode(target, source, env):
        """Runs the command without a shell, which would interpret names."""
        return subprocess.run([*command, "--quiet"], check=False, cwd=env.Dir("#").abspath, env=env["ENV"]).returncode

    result = env.Command(_from_root(env, outputs), _from_root(env, listed["input"]),
                         env.Action(encode, f"Encoding {', '.join(map(str, files))}".replace("$", "$$")))
    env.Precious(result)  # the command replaces changed files and removes obsolete ones
    env.AppendUnique(CPPPATH=[env.Dir(folder), *map(env.Dir("#").Dir, listed["runtime-include"])],
                     CPPDEFINES=listed.get("define", []),
                     CCFLAGS=["-ffunction-sections", "-fdata-sections"],
                     LINKFLAGS=["-Wl,--gc-sections"])  # drops unused code
    ours = _with_flags(env, " ".join(listed.get("flag", [])))
    sources = [*listed["source"], *listed["runtime"]]
    compiled = env["BUILDERS"]["Object"]  # ours.Object is bound to env
    return [compiled(ours, folder.File(os.path.splitext(os.path.basename(path))[0] + env["OBJSUFFIX"]), file)
            for path, file in zip(sources, _from_root(env, sources))]


def ossicle_testing(env):
    """Returns a library with the media and the mocks for unit tests, and adds their folders to CPPPATH."""
    targets = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../targets")
    folders = [os.path.normpath(os.path.join(targets, name)) for name in ("testing", "media", ".", "../runtime")]
    folder = env.Dir(env["OSSICLE_DIR"])
    env.AppendUnique(CPPPATH=folders)
    sources = [os.path.join(place, name) for place in folders[:2] for name in sorted(os.listdir(place))
               if name.endswith(".c")]
    return env.StaticLibrary(folder.File("ossicle_testing"), [
        env.Object(folder.File(os.path.splitext(os.path.basename(path))[0]), path) for path in sources])


def generate(env):
    """Adds the methods and variables to env."""
    env.SetDefault(OSSICLE=_CHECKOUT if os.path.exists(_CHECKOUT) else "ossicle", OSSICLE_DIR="build/ossicle")
    env.AddMethod(ossicle, "Ossicle")
    env.AddMethod(ossicle_testing, "OssicleTesting")


def exists(env):
    """Always true, because the command is searched for when it is first used."""
    return True
