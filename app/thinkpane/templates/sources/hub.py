"""A model on the Hugging Face Hub, by plain HTTPS: its small files, or the head of one of its GGUF files.

What was fetched is kept below the cache by commit, and read from there where the Hub cannot be reached.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from thinkpane.errors import ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.gguf import read_header
from thinkpane.formats.json_values import JsonObject
from thinkpane.templates import gguf_template, model_files
from thinkpane.templates.files import CONFIG_LIMIT, TEMPLATE_LIMIT, read_object, source_problem
from thinkpane.templates.reach import OFFLINE, Reach, read_json, required
from thinkpane.templates.remote_files import HEAD_LIMIT, KeptHead, download, told_disk_faults
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.template import Template

HUB = "https://huggingface.co"

_WORD = r"[A-Za-z0-9][\w.-]{0,95}"
_REF = re.compile(rf"hf:(?P<owner>{_WORD})/(?P<name>{_WORD})(?:@(?P<revision>[\w./-]{{1,200}}))?", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_FURTHER = re.compile(rf"{model_files.FURTHER_FOLDER}/{_WORD}\.jinja", re.ASCII)
_GGUF = re.compile(rf"(?:{_WORD}/){{0,3}}{_WORD}\.gguf", re.ASCII)
_OFFLINE = "The Hub could not be reached; this is what was kept of an earlier visit."


@dataclass(frozen=True, slots=True)
class _Repository:
    """One commit of a repository. files: the paths in it that may be read; offline: whether it is only remembered."""

    title: str
    commit: str
    files: tuple[str, ...]
    offline: bool

    def url(self, file: str) -> str:
        return f"{HUB}/{self.title}/resolve/{self.commit}/{quote(file)}"


def tokenizer_file(ref: str, reach: Reach) -> Path | None:
    """The file of a tokenizer in the repository of `ref`, kept in the cache; where it has none, the head of its first
    GGUF file as far as it holds the header's metadata; None = neither is there.

    Raises ThinkpaneError as `load` does.
    """
    match = _REF.fullmatch(ref)
    if match is None:
        return None
    title = f"{match['owner']}/{match['name']}"
    place = reach.cache / "hub" / match["owner"] / match["name"]
    repository = _repository(reach, title, match["revision"] or "main", place)
    for file in model_files.TOKENIZER_FILES:
        if file in repository.files:
            _fetch(reach, repository, place / repository.commit, file)
            return place / repository.commit / file
    ggufs = [file for file in repository.files if _GGUF.fullmatch(file) and "mmproj" not in file.lower()]
    return gguf_head(repository.url(min(ggufs)), reach) if ggufs else None


def gguf_head(url: str, reach: Reach) -> Path:
    """What is kept of a GGUF file on the web, with all of its metadata. Raises ThinkpaneError."""
    head = KeptHead(reach, url)
    read_header(head.read, limit=HEAD_LIMIT)
    return head.file


class _Hub:
    name = "hub"
    takes = "a model on the Hub (hf:owner/name, hf:owner/name@revision)"
    reaches = True

    def accepts(self, ref: str) -> bool:
        return _REF.fullmatch(ref) is not None

    def load(self, ref: str, name: str, reach: Reach | None = None) -> Template:
        match = _REF.fullmatch(ref)
        if match is None:
            raise source_problem(
                f"“{ref}” is no name on the Hub; it is written hf:owner/name or hf:owner/name@revision."
            )
        found = required(reach, ref)
        title = f"{match['owner']}/{match['name']}"
        place = found.cache / "hub" / match["owner"] / match["name"]
        repository = _repository(found, title, match["revision"] or "main", place)
        template = _template(found, repository, place / repository.commit, ref, name)
        return replace(template, notes=(*template.notes, _OFFLINE)) if repository.offline else template


def _template(reach: Reach, repository: _Repository, folder: Path, ref: str, name: str) -> Template:
    for file in repository.files:
        if file in model_files.SMALL_FILES or _FURTHER.fullmatch(file):
            _fetch(reach, repository, folder, file)
    if not _lists_added_tokens(folder):
        _fetch(reach, repository, folder, model_files.TOKENIZER_FILE)
    files = model_files.read_folder(folder)
    origin = f"{HUB}/{repository.title} at {repository.commit[:12]}"
    ggufs = [file for file in repository.files if _GGUF.fullmatch(file) and "mmproj" not in file.lower()]
    if files.places.all or not ggufs:
        return model_files.template_of(files, ref, name, title=repository.title, origin=origin)
    # All of a repository's quantisations carry the same template as a rule.
    url = repository.url(min(ggufs))
    head = KeptHead(reach, url)
    return gguf_template.read_template(head.read, ref, name, title=repository.title, origin=url, limit=HEAD_LIMIT)


def _fetch(reach: Reach, repository: _Repository, folder: Path, file: str) -> None:
    if file in repository.files and not (folder / file).exists():
        limit = TEMPLATE_LIMIT if file.endswith(".jinja") else CONFIG_LIMIT
        download(reach, repository.url(file), folder / file, limit)


def _lists_added_tokens(folder: Path) -> bool:
    config = folder / model_files.CONFIG_FILE
    return config.is_file() and "added_tokens_decoder" in read_object(config)


def _repository(reach: Reach, title: str, revision: str, place: Path) -> _Repository:
    """The commit that `revision` names and its files, asked for, else as they were remembered."""
    remembered = place / f"{quote(revision, safe='')}.json"
    try:
        answer = read_json(reach, f"{HUB}/api/models/{title}/revision/{quote(revision, safe='')}")
    except ThinkpaneError as fault:
        if fault.problem.kind in OFFLINE and remembered.is_file():
            return _parsed(title, read_object(remembered), offline=True)
        raise _said(fault, title, revision) from None
    found = _parsed(title, answer, offline=False)
    kept: JsonObject = {"sha": found.commit, "siblings": [{"rfilename": file} for file in found.files]}
    with told_disk_faults():
        place.mkdir(parents=True, exist_ok=True)
        remembered.write_text(strict_json.dump(kept), encoding="utf-8")
    return found


def _parsed(title: str, answer: JsonObject, *, offline: bool) -> _Repository:
    commit, siblings = answer.get("sha"), answer.get("siblings")
    if not isinstance(commit, str) or not _COMMIT.fullmatch(commit) or not isinstance(siblings, list):
        raise source_problem(f"The Hub's answer about “{title}” is not understood.")
    names = (each.get("rfilename") for each in siblings if isinstance(each, dict))
    files = tuple(name for name in names if isinstance(name, str) and _is_read(name))
    return _Repository(title, commit, files, offline)


def _is_read(file: str) -> bool:
    known = file in (*model_files.SMALL_FILES, *model_files.TOKENIZER_FILES)
    return known or bool(_FURTHER.fullmatch(file) or _GGUF.fullmatch(file))


def _said(fault: ThinkpaneError, title: str, revision: str) -> ThinkpaneError:
    match fault.problem.detail.get("status"):
        case 401 | 403:
            return source_problem(f"The Hub shows “{title}” only to those it knows (gated, private, or not there).")
        case 404:
            return source_problem(f"The Hub has no “{title}” at “{revision}”.")
        case _:
            return fault


SOURCE: TemplateSource = _Hub()
