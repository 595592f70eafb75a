"""Words that carry no subject, in English, Russian and German: left out of the lexical index.

Greetings and thanks are among them because in chats they stand in most turns and say nothing about any.
"""

from __future__ import annotations

from typing import Final

from bot.memory.sentences import vocabulary

_ENGLISH: Final = """
a an the and or but if then else of to in on at by for with from as is are was were be been being am do does did done
doing have has had having i you he she it we they me him her us them my your his its our their mine yours hers ours
theirs this that these those there here what which who whom whose when where why how not no so too very can could will
would shall should may might must just also than into about over up out off again all any both each few more most other
some such only own same hey hi hello wow yeah yep yes ok okay thanks thank please oh ah hmm lol
"""
_RUSSIAN: Final = """
а без более больше будет будто бы был была были было быть в вам вас вдруг ведь во вот все всегда всего всех вы где да
даже для до его ее ей ему если есть еще ж же за зачем и из или им иногда их к как какая какие какой какое каком ко когда
конечно которая которые который кто куда ли либо лучше между меня мне много может можно мой моя мое мои моего моей моих
моим мною мы на над надо наконец нас не него нее ней нельзя нет ни них но ну о об он она они оно от очень перед по под
после потом потому почти при про с сам свою себе себя сейчас сколько со совсем так такой там твой твоя твое твои те тебе
тебя тем то тогда того тоже той только том тот ту ты у уж уже хоть чего чей чем через что чтоб чтобы чье чья эта эти
этого этой этом этот эту это я привет пока спасибо пожалуйста ага ок ой
"""
_GERMAN: Final = """
aber alle als am an auch auf aus bei bin bis bist da damit dann das dass dein deine dem den der des dich die dir doch
dort du ein eine einem einen einer eines er es etwas euch euer für hab habe haben hat hatte hatten ich ihm ihn ihr ihre
im ist ja kann kein keine man mein meine meinem meinen meiner mich mir mit nach nicht noch nur ob oder ohne schon sehr
sein seine sich sie sind so über um und uns unser unsere vom von vor wann war waren warum was wegen weil welche welcher
welches wem wen wenn wer werde werden wie wieder wir wird wo wurde zu zum zur hallo danke bitte
"""
_AMBIGUOUS: Final = frozenset({"die", "war", "man", "bin", "hat", "rot", "gift", "wo"})
"""German function words that are content words in English: kept, rarity weighs them."""

STOPWORDS: Final = (vocabulary(_ENGLISH, _RUSSIAN) | vocabulary(_GERMAN)) - _AMBIGUOUS
