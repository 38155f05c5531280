"""First steps on a fresh machine, with Python's own library alone: system libraries, virtual environment.

python packaging/set_up.py libraries window|tests|freeze    check; install as root, else say what to run
python packaging/set_up.py venv FOLDER                      make the virtual environment
"""

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

# Library that Qt loads -> the Debian package that brings it.
WINDOW = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
# Without fonts every glyph is a box; with DejaVu alone there is no CJK and no emoji.
FONTS = {
    "dejavu/DejaVuSansMono.ttf": "fonts-dejavu-core",
    "opentype/noto/NotoSansCJK-Regular.ttc": "fonts-noto-cjk",
    "truetype/noto/NotoColorEmoji.ttf": "fonts-noto-color-emoji",
}
PROGRAMS = {
    "window": {},
    "tests": {"xvfb-run": "xvfb", "xauth": "xauth", "xdotool": "xdotool"},
    "freeze": {"objdump": "binutils"},
}


def missing_packages(purpose: str) -> list[str]:
    """The Debian packages that are not here yet and are needed for `purpose`."""
    found = [package for library, package in WINDOW.items() if not _loads(library)]
    found += [package for font, package in FONTS.items() if not _has_font(font)]
    found += [package for program, package in PROGRAMS[purpose].items() if not shutil.which(program)]
    return found


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _has_font(path: str) -> bool:
    places = [Path("/usr/share/fonts"), Path("/usr/share/fonts/truetype"), Path("/usr/local/share/fonts")]
    name = path.rpartition("/")[2]
    return any((place / path).exists() for place in places) or any(
        True for place in places[:1] if place.exists() for _ in place.rglob(name)
    )


def libraries(purpose: str) -> int:
    """Brings the system libraries: installs them as root with apt-get, else prints the one line to run."""
    if sys.platform != "linux":
        return 0
    packages = missing_packages(purpose)
    if not packages:
        return 0
    line = f"apt-get install -y --no-install-recommends {' '.join(packages)}"
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"Installing system packages: {' '.join(packages)}", flush=True)
        quiet = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        subprocess.run(["apt-get", "update", "-qq"], env=quiet, check=False)
        done = subprocess.run([*line.split(), "-qq"], env=quiet, check=False, stdout=subprocess.DEVNULL)
        if done.returncode == 0:
            return 0
    print(f"These system packages are missing; Thinkpane's window may not open without them:\n    sudo {line}")
    return 0


def virtual_environment(folder: str) -> int:
    """Makes the virtual environment at `folder` unless there is a working one."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this is what says so on an older Python
        print(f"Thinkpane needs Python 3.11 or newer; this is {sys.version.split()[0]}. Set PYTHON=… for make.")
        return 1
    python = Path(folder) / "bin" / "python"
    works = python.exists() and subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode == 0
    if works:
        return 0
    done = subprocess.run([sys.executable, "-m", "venv", "--clear", folder], capture_output=True, text=True)
    if done.returncode:
        print(
            "The virtual environment could not be made (on Debian the package python3-venv brings it):\n"
            f"{done.stdout}{done.stderr}"
        )
    return done.returncode


def main(words: list[str]) -> int:
    """Runs the step that the words name; exit status."""
    if len(words) == 2 and words[0] == "libraries" and words[1] in PROGRAMS:
        return libraries(words[1])
    if len(words) == 2 and words[0] == "venv":
        return virtual_environment(words[1])
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
