"""How lists are kept in German."""

from __future__ import annotations

from typing import Final

from language.lists import ListWords, read_pairs
from language.words import word_set

_NOUN: Final = r"(?:listen?|zettel[ns]?)"

LISTS: Final = ListWords(
    on_it=r"(?:da|dar|mit)?drauf|darauf",
    asks_if=r"ist|sind|steht|stehen|gibt",
    named={
        "shopping": (
            rf"(?:einkaufs?|einkäufe|besorgungs|kauf|supermarkt|lebensmittel)[ -]?{_NOUN}|"
            r"(?:einkauf|einkäufe|einkaufen|zu kaufen)(?= ?[:–-])"
        ),
        "todo": (
            rf"(?:to-?do|to do|aufgaben|erledigungs?|aufgabe)[s ]?-?{_NOUN}|to-?dos?|aufgaben|erledigungen|"
            r"(?:zu tun|zu erledigen)(?= ?[:–-])|\A(?:(?:neue|nächste|weitere|noch eine) )?aufgabe(?= ?[:–-] )"
        ),
        "packing": rf"(?:pack|reise|koffer)[ -]?{_NOUN}",
    },
    other=rf"(?P<name>\w*?)-?{_NOUN}|(?:(?<=die )|(?<=der )|(?<=den ))(?P<itself>bestellung|warenkorb|einkaufswagen)",
    onto=rf"(?:auf|uff) (?:die|den|meinen?|unseren?) [\w-]*{_NOUN}",
    called=("{}liste", "{}sliste"),
    behind=(
        r"(?P<by>für|zum|zur) (?:den |die |das |meine[nr]? |unsere[nr]? )?"
        r"(?P<name>(?!(?:mich|uns|heute|morgen)\b)[\w-]+)"
    ),
    joins=r"und|u|sowie|plus|oder",
    points=r"(?:d(?:ie|er|as|en)|so)",
    articles=word_set(
        """
        ein eine einen einem einer eines der die das den dem des etwas mein meine meinen meiner unser unsere unseren
        paar mehr ne nen n ma
        """
    ),
    measures=word_set(
        """
        l liter ml kilo kilos kg g gramm pfund packung packungen pack päckchen flasche flaschen dose dosen tüte tüten
        kasten kästen glas gläser becher stück bund tube tuben rolle rollen dutzend kiste kisten schachtel beutel
        """
    ),
    frames=word_set(
        """
        lieber gehört gehören kommt kommen unbedingt rein hinein schon ausgegangen neige bei dann bitte danke kannst
        könntest könnt würdest du ihr sie er ich wir man mir uns mich mal doch noch auch jetzt gerade und ja so also ok
        okay hey hallo auf zu zur zum an ans in ins von vom für mit dazu drauf dran rauf drin hinzu es das sich soll
        sollte sollten sollen muss müssen müsste müssten will wollen möchte möchten ist sind nicht vergiss vergessen hab
        habe haben hat der die den dem ein eine einen dafür stattdessen aber außerdem ausserdem wieder aus alle leer
        geht gehen fast unsere unser meine mein meinen übrigens ach wäre gut nötig ebenfalls zusätzlich uff druff
        """
    ),
    several=r"\w*listen",
    makes=word_set("erstell erstelle leg lege mach mache beginn beginne neue neuen liste an"),
    puts=word_set(
        """
        schreib schreibe schreiben schreibst schreibt setz setze setzen setzt notier notiere notieren pack packe packen
        tu tun füg füge hinzufügen trag trage eintragen nimm aufnehmen aufschreiben draufschreiben draufsetzen
        aufsetzen ergänze ergänzen
        """
    ),
    buys=word_set(
        """
        mitzubringen mitgebracht bräucht einzukaufen kauf kaufe kaufen kaufst einkaufen hol hole holen holst besorg
        besorge besorgen besorgst brauch brauche brauchen braucht bräuchten bräuchte fehlt fehlen mitbringen bring
        bringe bringst mitnehmen bestell bestelle bestellen
        """
    ),
    needed_by_others=r"(?<!man )(?<!es )(?<!ihr )braucht",
    tasks=r"\S.* (?-i:[a-zäöü])\w+(?:en|ern|eln)|(?-i:[a-zäöü])\w+(?:ieren|rufen|räumen|putzen|zahlen)",
    done=(
        r"gekauft|geholt|besorgt|erledigt|gemacht|fertig|abgehakt|hake?n?|abhaken|gepackt|eingepackt|bezahlt|"
        r"mitgebracht|eingekauft|bestellt|getan|geschafft|im (?:korb|wagen|koffer)|ist da|sind da|ab|"
        r"hab(?:e|en)? (?:ich|wir)(?: schon)?(?=\W*\Z)"
    ),
    ticks=r"hake?n?|abhaken|abgehakt",
    past=r"\w*ge\w{2,}(?:t|en)|(?:be|er|ver|ent)\w{3,}(?:t|en)|\w{3,}iert",
    deeds=read_pairs(
        """
        geschrieben/schreiben gegangen/gehen genommen/nehmen gesprochen/sprechen getroffen/treffen
        geworfen/werfen gebracht/bringen geschnitten/schneiden geliehen/leihen gegossen/gießen
        geschlossen/schließen getrunken/trinken gefunden/finden gebunden/binden gedacht/denken getan/tun
        gezogen/ziehen geschoben/schieben gebogen/biegen gewogen/wiegen gestrichen/streichen
        geschmissen/schmeißen
        """
    ),
    prefixes=r"ab|an|auf|aus|ein|mit|weg|hin|her|vor|nach|zurück|be|ver",
    removes=(
        r"streich\w*|gestrichen|rausstreichen|durchstreichen|runter(?:nehmen)?|weg(?:nehmen|lassen)?|lösch\w*|gelöscht|"
        r"entfern\w*|raus|(?:wirf|werft|schmei(?:ß|ss)\w*)(?=(?: \S+){1,6} raus\b)|nimm|"
        r"nicht? mehr|nimmer|doch nicht?|doch kein\w*|kein\w* mehr|"
        r"brauch\w* (?:\w+ ){0,2}(?:nicht?|nimmer)|(?:\A|(?:ach|oh|nein|nee|ne|nö|halt|moment|aber)\W{1,3})nicht?|"
        r"(?:hab(?:e|en)? (?:ich|wir)|is|ist|sind) (?:(?:eh|ja|doch|auch) )?noch(?! nicht?| kein)(?: da)?"
    ),
    empties=word_set(
        """
        lösch lösche löschen löscht leere leeren entfern entferne entfernen verwirf wirf weg werfen wegwerfen
        streich streiche streichen schmeiß schmeiss räum räume
        """
    ),
    whole=word_set("ganze ganzen ganz komplett komplette kompletten gesamte gesamten"),
    returns=(
        (
            r"(?:stell|setz|schreib|pack|tu|mach|nimm|hol|leg|bring)\w{0,2}\s+(?P<thing>.{1,80}?)\s+(?:wieder|zurück)"
            r"(?:\s+(?:drauf|rauf|dazu|hin|her|rein|auf|an|die|den|meine[nr]?|unsere[nr]?))*"
        ),
        r"(?P<thing>.{1,80}?)\s+(?:wieder|zurück)\s+(?:drauf|rauf|dazu)(?:\s*\w{3,8}en)?",
    ),
    denies=word_set("kein keine keinen keiner nicht doch ohne nein nee ne nö"),
    open=(
        r"nicht|nie|kein\w*|noch|werd\w*|wird|muss|müssen|müsste\w*|soll\w*|will|wollen|wollte\w*|möchte\w*|kann|können|"
        r"könnte\w*|wenn|falls|würde\w*|morgen|später|bald|bitte|vergessen|fast|brauch\w*|gleich"
    ),
    everything=r"alles|alle|das ganze|den rest|der rest|sämtliche\w*",
    but=r"außer|ausser|bis aufs?|nur nicht|ohne|abgesehen von|aber nicht",
    left=(
        r"fehlt|fehlen|übrig|offen|(?<!steht )(?<!liegt )alles|kaufen|einkaufen|besorgen|holen|brauche?n?|"
        r"(?:ein)?packen|mitnehmen|erledigen|zu tun"
    ),
    asks=word_set(
        """
        aufgaben dinge sachen punkte was etwas nichts irgendwas welche welches wer wie viel viele zeig zeige zeigt lies
        sag sage nenn nenne gib übrig offen offene fehlt fehlen brauch brauche brauchen steht stehen schon alles kaufen
        holen besorgen einkaufen tun erledigen packen einpacken mitnehmen irgendwer jemand gekauft besorgt geholt gibt
        laut
        """
    ),
    follows=word_set("auch und noch dazu außerdem ausserdem achja"),
    swaps=(
        r"(?:an)?statt (?P<both>.{1,80})",
        r"(?:tausche?|ersetze?|ändere?|wechs[el]{2}e?) (?P<old>.{1,40}?) (?:gegen|durch|in|zu|auf) (?P<new>.{1,40})",
        r"(?:doch )?(?:keine?n?|nicht) (?P<old>.{1,40}?),? (?:sondern|lieber|dafür|doch) (?P<new>.{1,40})",
    ),
    takes=word_set(
        """
        weg runter raus streich streiche streichen lösch lösche löschen entfern entferne entfernen wegnehmen
        runternehmen rausnehmen weglassen wegmachen rausstreichen durchstreichen
        """
    ),
    lands=word_set("drauf dazu rauf druff hinzu rein"),
    hands=word_set("mach mache machen macht hau haue haut schmeiß schmeiss schmeißt wirf werft klatsch lass lasst"),
    unneeded=r"brauch\w* (?:\w+ ){0,2}(?:nicht|nimmer)(?: mehr)?",
    turns=r"aber|dafür",
    instead=r"dafür|stattdessen",
)
