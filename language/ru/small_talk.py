"""Small talk of Russian, also in Latin letters."""

from __future__ import annotations

from typing import Final

from language.small_talk import SmallTalk, phrases
from language.words import word_set

SMALL_TALK: Final = SmallTalk(
    words=word_set(
        """
        привет приветик приветствую здравствуй здравствуйте здорово хай салют пока покеда прощай прощайте спасибо спс
        спасибки благодарю пожалуйста да ага угу нет неа не ок окей оке окэй ладно хорошо отлично супер класс круто
        понятно понял поняла ясно норм угумс ну хм хах ха хаха хахаха ахах лол извини извините
        privet poka spasibo da net aga ladno horosho khorosho zdravstvuyte zdravstvujte ponyal ponyala yasno
        """
    ),
    phrases=phrases(
        """
        добрый день
        доброе утро
        добрый вечер
        доброй ночи
        спокойной ночи
        до свидания
        до встречи
        до завтра
        всего доброго
        большое спасибо
        спасибо большое
        спасибо огромное
        благодарю вас
        не за что
        все понятно
        все ясно
        конечно
        dobryj den
        dobry den
        do svidaniya
        """
    ),
    about_assistant=phrases(
        """
        что ты умеешь
        что ты можешь
        что вы умеете
        кто ты
        ты кто
        кто вы
        как тебя зовут
        как вас зовут
        """
    ),
    wellbeing=phrases(
        """
        как дела
        как твои дела
        как ваши дела
        как ты
        как поживаешь
        как жизнь
        """
    ),
    fillers=word_set("всем тебе вам вас большое очень и"),
    thanks=word_set("спасибо спс благодарю spasibo"),
    farewells=word_set("пока покеда прощай прощайте свидания ночи poka"),
    hellos=word_set("привет приветик здравствуй здравствуйте privet добрый доброе доброй"),
)
