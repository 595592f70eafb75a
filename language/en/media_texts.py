"""English: about recordings and pictures."""

from __future__ import annotations

from language.media_texts import MediaTexts

MEDIA = MediaTexts(
    nobody_listens=(
        "I cannot listen to recordings here: no speech recognition is set up (`voice.url`). Write it to me instead."
    ),
    nobody_listens_user="I cannot listen to recordings here. Write it to me instead.",
    too_long="The recording is longer than the {minutes} minutes I listen to.",
    too_large="The recording is too large for me to fetch.",
    not_fetched="I could not fetch the recording; please send it again.",
    not_heard="I could not listen to the recording: {reason}.",
    not_heard_user="I could not listen to the recording just now. Please try again later.",
    silent="I could hear no words in the recording.",
    heard="I heard: {text}",
    nobody_sees="I cannot see pictures here, so I know nothing of what is on it. Tell me in words what matters.",
    picture_too_large="The picture is larger than the {most} MB I look at.",
    picture_unknown="I cannot look at pictures of this format; JPEG, PNG, WebP and GIF I can.",
    picture_not_fetched="I could not fetch the picture; please send it again.",
    not_seen="The model cannot see pictures: I have read your words, not what is on the picture.",
)
