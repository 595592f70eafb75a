"""Speech to text over real HTTP: what is asked, and what each refusal tells the operator."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.llm.media import OpenAiTranscriber
from bot.errors import ModelRefused, ModelUnavailable
from harness.fakes.openai import Fails, FakeOpenAi

KEY = "sk-proj-abcdefghijklmnop1234567890"
OGG = b"OggS\x00 spoken\r\n--bytes"


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A file that is sent as it is."""
    path = tmp_path / "file"
    path.write_bytes(OGG)
    return path


@pytest.mark.parametrize("ending", ["", "/", "/audio/transcriptions"])
async def test_a_recording_is_written_down(recording: Path, ending: str) -> None:
    """The bytes arrive as they are, with the model, the language and the key; the address may hold the route."""
    async with FakeOpenAi(models=("whisper-1",), api_key=KEY) as server:
        server.transcripts.append("  Guten Tag.\n")
        heard = await OpenAiTranscriber(server.url + ending, KEY, "whisper-1", language="de").transcribe(
            recording, name="recording.ogg"
        )

    assert heard == "Guten Tag."
    (sent,) = server.recordings
    assert (sent.name, sent.content) == ("recording.ogg", OGG)
    assert sent.fields == {"model": "whisper-1", "response_format": "json", "language": "de"}


@pytest.mark.parametrize(
    ("status", "kind", "told"),
    [
        (401, ModelRefused, "voice.apiKey or VOICE_API_KEY"),
        (404, ModelRefused, "voice.url"),
        (400, ModelRefused, "voice.model"),
        (429, ModelUnavailable, "cannot answer now"),
        (503, ModelUnavailable, "cannot answer now"),
    ],
)
async def test_refusals_name_the_setting(recording: Path, status: int, kind: type[Exception], told: str) -> None:
    """And never repeat the server's words, which may hold the key."""
    async with FakeOpenAi(models=("whisper-1",)) as server:
        server.transcripts.append(Fails(status, f"Incorrect API key: {KEY}"))
        with pytest.raises(kind, match=told) as refused:
            await OpenAiTranscriber(server.url, KEY, "whisper-1").transcribe(recording, name="recording.ogg")

    assert KEY not in str(refused.value)


async def test_what_is_no_transcript_is_refused(recording: Path) -> None:
    """A page of something else, or nobody at all."""
    async with FakeOpenAi(pages={"/v1/audio/transcriptions": ["hello"]}) as server:
        url = server.url
        with pytest.raises(ModelUnavailable, match="no transcript"):
            await OpenAiTranscriber(url, "", "whisper-1").transcribe(recording, name="recording.ogg")
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        await OpenAiTranscriber(url, "", "whisper-1").transcribe(recording, name="recording.ogg")
    with pytest.raises(ModelRefused, match=r"voice\.url"):
        await OpenAiTranscriber("ftp://x", "", "whisper-1").transcribe(recording, name="recording.ogg")
