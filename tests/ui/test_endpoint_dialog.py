"""The endpoint dialog: where requests go, what they hold, what the server is, and its ways with the probe."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from support.certificates import authority
from support.proxy_server import ProxyServer
from support.server import Server, answer
from support.services import PatientServices
from thinkpane.endpoints.connection import Connection
from thinkpane.endpoints.probe import Finding, Probed
from thinkpane.endpoints.profile import Endpoint
from thinkpane.ui.dialogs.endpoint import EndpointDialog
from thinkpane.ui.model_lists import ModelLists

PROPS = answer(b'{"build_info": "b1"}', kind="application/json")
MODELS = answer(b'{"data": [{"id": "tiny"}, {"id": "big"}]}', kind="application/json")


@pytest.fixture
def dialog(qtbot: QtBot, services: PatientServices) -> Iterator[EndpointDialog]:
    found = EndpointDialog(services, ModelLists(services))
    qtbot.addWidget(found)
    found.name.setText("here")
    yield found
    found.questions.drop()


def body_of(dialog: EndpointDialog) -> dict[str, object]:
    """The body that the preview shows."""
    found: dict[str, object] = json.loads(dialog.request_page.preview.text.partition("\n\n")[2])
    return found


def test_where_requests_go_is_shown_as_it_is_typed(dialog: EndpointDialog) -> None:
    dialog.url.setText("127.0.0.1:8080")
    assert dialog.goes_to.text() == "Requests go to http://127.0.0.1:8080/v1/chat/completions"
    dialog.url.setText("https://gw.example/api/v1/chat/completions")
    assert dialog.goes_to.text() == "Requests go to https://gw.example/api/v1/chat/completions"
    dialog.dialect.setCurrentIndex(dialog.dialect.findData("anthropic"))
    assert dialog.goes_to.text().endswith("/api/v1/messages")
    dialog.url.setText("ftp://x")
    assert "ftp://x" in dialog.goes_to.text()
    dialog.url.setText("")
    assert dialog.goes_to.text() == ""


def test_the_extra_body_is_merged_and_shown(dialog: EndpointDialog, services: PatientServices) -> None:
    dialog.url.setText("http://127.0.0.1:8080")
    assert "temperature" not in body_of(dialog)
    dialog.request_page.body.setPlainText('{"cache_prompt": true, "stream_options": {"x": 1}}')
    assert body_of(dialog)["cache_prompt"] is True
    assert body_of(dialog)["stream_options"] == {"include_usage": True, "x": 1}
    dialog.request_page.body.setPlainText("[1]")
    assert "JSON object" in dialog.request_page.preview.text
    dialog.accept()
    assert "JSON object" in dialog.said.text()
    dialog.request_page.body.setPlainText('{"cache_prompt": true}')
    dialog.accept()
    assert services.endpoints.named("here").extra_body == {"cache_prompt": True}


def test_the_server_says_what_it_is_and_its_models(dialog: EndpointDialog, qtbot: QtBot) -> None:
    with Server([PROPS], [MODELS]) as server:
        dialog.url.setText(server.url)
        dialog.model.setEditText("gone")
        dialog.test.click()
        qtbot.waitUntil(dialog.test.isEnabled)
    assert dialog.said.text() == "llama.cpp b1 answers, and offers 2 models. “gone” is not among them."
    assert [dialog.model.itemText(index) for index in range(dialog.model.count())] == ["tiny", "big"]
    assert dialog.variant_page.name == "llamacpp"
    assert [request.head.split()[1] for request in server.received] == ["/props", "/v1/models"]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            answer(b'{"error": {"message": "Invalid API Key"}}', status="401 No", kind="application/json"),
            "Invalid API Key",
        ),
        (b"220 mail.example ESMTP\r\n\r\n", "no HTTP"),
    ],
)
def test_what_is_wrong_is_one_sentence(dialog: EndpointDialog, qtbot: QtBot, script: bytes, said: str) -> None:
    with Server([script]) as server:
        dialog.url.setText(server.url)
        dialog.test.click()
        qtbot.waitUntil(dialog.test.isEnabled)
    assert said in dialog.said.text()
    assert dialog.said.property("kind") == "error"


def test_a_variant_is_data_that_can_be_edited(dialog: EndpointDialog, services: PatientServices) -> None:
    page = dialog.variant_page
    dialog.url.setText("https://api.deepseek.com")
    assert page.choice.itemText(0) == "As the address says: DeepSeek"
    assert page.edits() == {}
    page.form.take({"token_limit": "max_completion_tokens", "on": {"think": True}})
    assert page.edits() == {"token_limit": "max_completion_tokens", "on": {"think": True}}
    dialog.accept()
    kept = services.endpoints.named("here")
    assert (kept.variant, kept.variant_edits) == ("", {"token_limit": "max_completion_tokens", "on": {"think": True}})


def test_a_field_that_is_none_is_refused_by_name(dialog: EndpointDialog) -> None:
    dialog.url.setText("http://127.0.0.1:1")
    dialog.variant_page.form.take({"prefill": "prefix"})
    field = dialog.variant_page.form._fields["lacks"]
    field.setText("[oops")  # type: ignore[union-attr]  # a list is a line
    dialog.accept()
    assert "Refused parameters" in dialog.said.text()
    assert dialog.isHidden() or dialog.result() == 0


def test_the_servers_ways_are_words_that_a_person_understands(dialog: EndpointDialog) -> None:
    form = dialog.variant_page.form
    dialog.url.setText("http://127.0.0.1:1")
    shown = [each.text() if isinstance(each, QLineEdit) else each.currentText() for each in form._fields.values()]
    assert not {"null", "[]", "true", "false", "nobody knows"} & {*shown}
    assert form.edits() == {}
    lacks, on = form._fields["lacks"], form._fields["on"]
    assert isinstance(lacks, QLineEdit)
    assert isinstance(on, QLineEdit)
    lacks.setText("seed, top_p")
    on.setText("")
    assert form.edits()["lacks"] == ["seed", "top_p"]
    assert on.placeholderText() == "no switch"


def test_what_is_kept_is_shown_again(qtbot: QtBot, services: PatientServices) -> None:
    kept = Endpoint(
        "here",
        "openai-chat",
        "http://h:1",
        extra_body={"a": 1},
        variant="vllm",
        variant_edits={"effort": "reasoning.effort"},
    )
    found = EndpointDialog(services, ModelLists(services), kept)
    qtbot.addWidget(found)
    assert found.variant_page.name == "vllm"
    assert found.variant_page.edits() == {"effort": "reasoning.effort"}
    assert found.request_page.read_body() == {"a": 1}


def test_probing_shows_each_result_and_fills_in_what_was_found(dialog: EndpointDialog, qtbot: QtBot) -> None:
    chat = json.dumps(
        {
            "choices": [{"index": 0, "message": {"content": "1"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 5, "completion_tokens": 1},
        }
    )
    with Server([answer(chat.encode(), kind="application/json")]) as server:
        dialog.url.setText(server.url)
        findings: list[Finding] = []
        dialog.questions.finding.connect(findings.append)
        with qtbot.waitSignal(dialog.questions.probed) as caught:
            dialog.variant_page.probe.click()
            assert dialog.variant_page.probe.text() == "Stop probing"
    probed: Probed = (caught.args or [Probed()])[0]
    assert tuple(findings) == probed.findings
    assert dialog.variant_page.probe.text() == "Probe the server"
    assert dialog.said.text().startswith("Probed: ")
    notes = dialog.variant_page.form._notes
    assert notes["token_limit"].text().startswith("works: ")
    assert notes["history"].text().startswith("ignored: ")
    assert dialog.variant_page.edits() == dict(probed.edits)


def test_probing_can_be_stopped(dialog: EndpointDialog, qtbot: QtBot) -> None:
    with Server(["hold"]) as server:
        dialog.url.setText(server.url)
        dialog.variant_page.probe.click()
        qtbot.waitUntil(server.held.is_set)
        dialog.variant_page.probe.click()
        assert "stopped" in dialog.said.text()
        assert dialog.variant_page.probe.text() == "Probe the server"


def test_only_chat_completions_are_probed(dialog: EndpointDialog) -> None:
    dialog.url.setText("http://127.0.0.1:1")
    dialog.dialect.setCurrentIndex(dialog.dialect.findData("anthropic"))
    dialog.variant_page.probe.click()
    assert "OpenAI chat completions" in dialog.said.text()


def test_the_way_to_the_server_is_kept_and_shown(
    qtbot: QtBot, dialog: EndpointDialog, services: PatientServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    page = dialog.network_page
    dialog.url.setText("https://model.example/v1")
    assert page.way_note.text() == "Requests go directly."
    monkeypatch.setenv("HTTPS_PROXY", "http://me:canary-word@corp:3128")
    dialog.url.setText("https://model.example/v2")
    assert (
        page.way_note.text() == "Requests go through http://corp:3128, named by the environment variable HTTPS_PROXY."
    )
    page.place.setCurrentIndex(page.place.findData("none"))
    assert page.way_note.text() == "Requests go directly."
    page.place.setCurrentIndex(page.place.findData("address"))
    page.proxy.setText("http://me:canary@corp:3128")
    dialog.accept()
    assert "environment variable" in dialog.said.text()
    assert "canary" not in dialog.said.text() + page.way_note.text()
    page.proxy.setText("socks5://corp:1")
    assert "SOCKS" in page.way_note.text()
    assert page.way_note.property("kind") == "error"
    page.proxy.setText("corp:3128")
    assert page.way_note.text() == "Requests go through http://corp:3128, named by the endpoint."
    page.http2.setChecked(True)
    page.ca_file.setText(str(tmp_path / "none.pem"))
    assert "cannot be read" in page.ca_note.text()
    dialog.accept()
    kept = services.endpoints.named("here")
    assert kept.connection == Connection(True, "corp:3128", str(tmp_path / "none.pem"))
    again = EndpointDialog(services, ModelLists(services), kept)
    qtbot.addWidget(again)
    assert again.network_page.connection() == kept.connection


def test_http_2_says_that_it_takes_tls(dialog: EndpointDialog) -> None:
    dialog.url.setText("http://127.0.0.1:1")
    dialog.network_page.http2.setChecked(True)
    assert "https://" in dialog.network_page.protocol_note.text()
    dialog.url.setText("https://model.example")
    assert "wire shows" in dialog.network_page.protocol_note.text()


def test_testing_the_connection_takes_the_way_and_says_so(dialog: EndpointDialog, qtbot: QtBot) -> None:
    page = dialog.network_page
    with Server([PROPS], [MODELS]) as server, ProxyServer() as proxy:
        dialog.url.setText(server.url)
        page.place.setCurrentIndex(page.place.findData("address"))
        page.proxy.setText(proxy.url)
        dialog.test.click()
        qtbot.waitUntil(dialog.test.isEnabled)
        assert dialog.said.text().startswith(f"llama.cpp b1 answers through the proxy {proxy.url}, and offers 2 models")
        assert len(proxy.received) == 2
    dialog.test.click()
    qtbot.waitUntil(dialog.test.isEnabled)
    assert f"Nothing answers at the proxy {proxy.url}" in dialog.said.text()
    page.place.setCurrentIndex(page.place.findData("none"))
    assert dialog.said.text() == ""


@pytest.mark.parametrize(("address", "said"), [("", "Type the proxy's address"), ("foo bar", "http://host:port")])
def test_a_proxy_without_a_usable_address_is_told_at_once_and_not_kept(
    dialog: EndpointDialog, services: PatientServices, address: str, said: str
) -> None:
    page = dialog.network_page
    dialog.url.setText("https://model.example/v1")
    height = page.sizeHint().height()
    page.place.setCurrentIndex(page.place.findData("address"))
    page.proxy.setText(address)
    assert said in page.way_note.text()
    assert page.way_note.property("kind") == "error"
    dialog.accept()
    assert said in dialog.said.text()
    assert not services.endpoints.all()
    assert page.sizeHint().height() == height
    page.proxy.setText("corp:3128")
    assert dialog.said.text() == ""


def test_testing_the_connection_tells_of_certificates(dialog: EndpointDialog, qtbot: QtBot, tmp_path: Path) -> None:
    own = authority(tmp_path)
    tls = own.context()
    with Server([PROPS], [PROPS], [MODELS], tls=tls) as server:
        dialog.url.setText(server.url)
        dialog.test.click()
        qtbot.waitUntil(dialog.test.isEnabled)
        assert "is not trusted" in dialog.said.text()
        dialog.network_page.ca_file.setText(str(own.ca_file))
        dialog.network_page.http2.setChecked(True)
        dialog.test.click()
        qtbot.waitUntil(dialog.test.isEnabled)
    assert dialog.said.text().startswith("llama.cpp b1 answers by HTTP/1.1, and offers 2 models")


def test_what_is_typed_at_once_is_the_name(dialog: EndpointDialog) -> None:
    dialog.show()
    assert dialog.focusWidget() is dialog.name
