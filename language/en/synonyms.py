"""Words of one meaning in English."""

from __future__ import annotations

from typing import Final

from language.synonyms import Synonyms

SYNONYMS: Final = Synonyms(
    concepts={
        "live": "live lives lived living reside resides move moves moved moving relocate relocated relocating "
        "address home based",
        "work": "work works worked working job jobs employer employed employs company profession occupation career",
        "name": "name names named call called calls nickname",
        "birth": "born birth birthday birthdays",
        "age": "age aged old",
        "study": "study studies studied studying university school college student",
        "marry": "married marry marries marrying wedding spouse engaged",
        "like": "like likes liked love loves loved enjoy enjoys prefer prefers preferred favourite favorite "
        "favourites favorites",
        "dislike": "hate hates dislike dislikes",
        "allergy": "allergic allergy allergies",
        "own": "have has had own owns got",
        "phone": "phone telephone mobile",
        "mail": "email e-mail mail",
        "book": "booking bookings reservation reserved booked",
        "code": "code codes",
        "number": "number numbers",
        "sister": "sister sisters sis",
        "brother": "brother brothers bro",
        "mother": "mother mothers mom mum mommy mama",
        "father": "father fathers dad daddy papa",
        "parent": "parent parents",
        "wife": "wife",
        "husband": "husband",
        "son": "son sons",
        "daughter": "daughter daughters",
        "child": "child children kid kids",
        "grandmother": "grandmother grandma granny",
        "grandfather": "grandfather grandpa grandad",
        "aunt": "aunt auntie",
        "uncle": "uncle",
        "cousin": "cousin cousins",
        "friend": "friend friends buddy",
        "partner": "partner girlfriend boyfriend fiance fiancee",
        "boss": "boss manager supervisor",
        "colleague": "colleague colleagues coworker coworkers",
        "neighbour": "neighbour neighbor neighbours neighbors",
        "dog": "dog dogs puppy",
        "cat": "cat cats kitten",
        "doctor": "doctor doctors dr",
        "car": "car cars",
        "city": "city town cities",
        "country": "country countries",
        "meeting": "meet meets met meeting meetings appointment appointments",
        "flight": "flight flights",
        "colour": "colour color colours colors",
        "food": "food foods meal",
        "plan": "plan plans planning",
        "decide": "decide decided decision decisions choose chose chosen agreed",
        "buy": "buy buys buying bought purchase purchased",
        "visit": "visit visits visited trip travel travelled traveled",
    },
)
