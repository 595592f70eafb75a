"""Small talk of English."""

from __future__ import annotations

from typing import Final

from language.small_talk import SmallTalk, phrases
from language.words import word_set

SMALL_TALK: Final = SmallTalk(
    words=word_set(
        """
        hi hii hiya hello hey heya yo howdy greetings bye byebye goodbye cheers thanks thank thx ty tnx ok okay okey
        okie k kk yes yeah yep yup ya no nope nah sure cool nice great good fine perfect awesome alright understood
        gotcha lol haha hahaha hm hmm wow please welcome sorry np
        """
    ),
    phrases=phrases(
        """
        thank you
        thank u
        many thanks
        thanks a lot
        thank you so much
        thank you very much
        hi there
        hello there
        good morning
        good afternoon
        good evening
        good night
        see you
        see you later
        see ya
        have a nice day
        got it
        i see
        no problem
        of course
        sounds good
        all right
        no thanks
        no thank you
        you too
        you are welcome
        you're welcome
        """
    ),
    about_assistant=phrases(
        """
        what can you do
        what do you do
        who are you
        what are you
        what's your name
        what is your name
        """
    ),
    wellbeing=phrases(
        """
        how are you
        how are you doing
        how are you today
        how's it going
        how is it going
        what's up
        """
    ),
    fillers=word_set("so very much a lot you all everyone then there man and"),
    thanks=word_set("thanks thank thx ty tnx cheers"),
    farewells=word_set("bye byebye goodbye night later"),
    hellos=word_set("hi hiya hello hey howdy morning evening afternoon"),
)
