"""What WhatsApp says of itself in an exported chat, in the languages of phones whose exports are documented.

These are not the languages of conversation: a phone may be set to any.  The shape of a line tells more; these words
stand in where a notice is there once.
"""

import re
from typing import Final

EDITED: Final = frozenset(
    {
        "this message was edited", "diese nachricht wurde bearbeitet", "сообщение изменено", "se editó este mensaje",
        "mensaje editado", "mensagem editada", "esta mensagem foi editada", "ce message a été modifié",
        "questo messaggio è stato modificato", "messaggio modificato", "dit bericht is bewerkt", "bu mesaj düzenlendi",
    }
)  # fmt: skip
"""How phones tell that a message was edited, where no mark stands before it and it stands there once."""
DELETED: Final = frozenset(
    {
        "this message was deleted", "you deleted this message", "waiting for this message",
        "diese nachricht wurde gelöscht", "du hast diese nachricht gelöscht", "данное сообщение удалено",
        "вы удалили данное сообщение", "se eliminó este mensaje", "eliminaste este mensaje", "mensagem apagada",
        "esta mensagem foi apagada", "você apagou esta mensagem", "ce message a été supprimé",
        "vous avez supprimé ce message", "questo messaggio è stato eliminato", "hai eliminato questo messaggio",
        "dit bericht is verwijderd", "je hebt dit bericht verwijderd", "bu mesaj silindi", "bu mesajı sildiniz", "null",
    }
)  # fmt: skip
"""What Android phones write, without any mark, in the place of a message that is there no longer."""
NOTICE: Final = re.compile(
    r"omitted|deleted|missed|encrypted|(weg|aus)gelassen|gelöscht|verpasst|verschlüsselt|отсутствует|удален|удалён|"
    r"удалил|пропущен|зашифрован|omitid|ocultad|eliminad|eliminó|apagad|perdid|cifrad|absente?\b|omise?\b|manquant|"
    r"supprimé|chiffré|omess|eliminat|pers[ao]\b|crittograf|weggelaten|verwijderd|gemist|dahil edilmedi|silindi|"
    r"cevapsız",
    re.IGNORECASE,
)
"""Words of marked notices that stand there once, in the languages whose exports are documented."""
