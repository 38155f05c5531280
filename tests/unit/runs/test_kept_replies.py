"""Replies that became messages: as they came, and of a raw prompt the very characters that the model wrote."""

from support.clock import Clock
from support.server import CHAT_END, chat_event
from thinkpane.endpoints.dialects._api import DecodeOptions, HttpRequest
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.runs import kept_replies
from thinkpane.runs.attempt import Attempt
from thinkpane.runs.how import How
from thinkpane.runs.kept_replies import KeptReplies, completion
from thinkpane.runs.run import Run

STREAM = {"content-type": "text/event-stream"}
RAW = b'data: {"choices": [{"index": 0, "text": "%s"}]}\n\n'
WROTE = (RAW % b" hm </th", RAW % b"ink>\\n\\n So ", RAW % b"<b>\\n", b"data: [DONE]\n\n")


def raw_run(*pieces: bytes, status: int = 200) -> Run:
    options = DecodeOptions(think_tags=(("<think>", "</think>"),), prompt_opens_thinking=True)
    return finished("openai-completions", options, pieces or WROTE, status)


def chat_run() -> Run:
    return finished("openai-chat", DecodeOptions(), (chat_event(content="<think>hm</think>So") + CHAT_END,), 200)


def finished(dialect: str, options: DecodeOptions, pieces: tuple[bytes, ...], status: int) -> Run:
    run = Run(HttpRequest("POST", "http://a.example/v1", (), {}), prompt="P<think>", time=Clock())
    made = Attempt(run, How(dialect_named(dialect), options))
    made.head(status, STREAM, 5)
    for piece in pieces:
        made.data(piece, 10)
    made.over(None, 20)
    run.drain()
    return run


def test_a_raw_reply_has_the_characters_that_the_model_wrote() -> None:
    run = raw_run()
    assert (run.transcript.thinking.strip(), run.transcript.answer.strip()) == ("hm", "So <b>")
    assert completion(run) == " hm </think>\n\n So <b>\n"


def test_of_a_chat_reply_they_are_not_known() -> None:
    assert completion(chat_run()) is None
    assert completion(Run(HttpRequest("POST", "http://a.example/v1", (), {}))) is None
    assert completion(raw_run(b'{"error": {"message": "no"}}', status=500)) is None


def test_a_reply_is_kept_as_it_came() -> None:
    kept = KeptReplies()
    kept.keep(7, chat_run())
    found = kept.reply(7)
    assert found is not None
    assert (found.message.reasoning, found.message.text) == ("hm", "So")
    assert (found.prompt, found.text) == ("P<think>", None)
    assert kept.reply(8) is None


def test_the_run_is_let_go_of_once_it_was_read() -> None:
    kept = KeptReplies()
    run = raw_run()
    kept.keep(7, run)
    found = kept.reply(7)
    assert found is not None
    assert found.text == " hm </think>\n\n So <b>\n"
    assert found.follows("<think>")
    assert not found.follows("<assistant>")
    run.wire.clear()
    assert kept.reply(7) is found


def test_only_the_latest_are_kept() -> None:
    kept = KeptReplies()
    run = chat_run()
    for key in range(kept_replies.MOST + 1):
        kept.keep(key, run)
    assert kept.reply(0) is None
    assert kept.reply(1) is not None
