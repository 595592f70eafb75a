"""The words with which people talk about passwords, as opposed to telling one, in English, Russian and German.

"My password is wrong", "пароль не подходит", "das Kennwort ist abgelaufen" must stay readable.
"""

from __future__ import annotations

from typing import Final

from language.words import vocabulary

ABOUT_PASSWORDS: Final = vocabulary(
    """
    a an the my your his her our their its this that these those it he she they we i you one who what which where
    when why how if and or but nor for to of in on at by with from as into about than then so no not never always
    also only just still now here there too very quite rather really more most less least all any some something
    somewhere nothing none wrong correct incorrect invalid valid weak strong stronger secure insecure safe unsafe
    secret same different required needed mandatory optional necessary empty blank missing long longer short
    shorter good better bad easy hard difficult simple complex old new fine ok okay stored saved kept hidden
    visible unique known unknown private public shared set reset changed expired forgotten lost gone written
    protected encrypted hashed case-sensitive important enough ready due being going getting used useless boring
    annoying impossible possible compromised leaked exposed stolen rejected accepted denied manager managers field
    fields policy policies hint hints prompt protection rules rule length strength generator change recovery page
    form box hash hashing list file files link email e-mail login logins authentication auth again please thanks
    today tomorrow yesterday soon later is was are were be been has have had can could must should would will may
    might do does did dont doesnt wont string str text int bytes null true false undefined input secretstr type
    value values self user username wifi wi-fi gmail google github facebook instagram netflix steam apple icloud
    amazon не нет ни уже еще тоже также только всегда никогда очень слишком или и а но что как где когда если
    чтобы для от на в из к с у мой моя мою твой ваш наш его ее их этот эта тот та новый старый один другой такой
    же самый неверный неправильный верный правильный слабый сильный сложный простой надежный ненадежный безопасный
    длинный короткий хороший плохой обязательный нужен нужно надо должен должна должно можно нельзя обязателен
    истек устарел забыл забыла забыт забыли потерял потеряла помню помнит сменить смени сменил сменила поменять
    поменяй поменял поменяла сбросить сбрось сбросил сбросила хранится хранить храню лежит записан записала
    записал сохранен сохранил знаю знает знаешь пришел придет подходит подошел работает введите введи ввести ввел
    вводить менеджер пользователя пользователь восстановить восстановления восстановление вайфай почта почты почту
    логин логина логину раз снова опять завтра сегодня вчера больше меньше минимум менее более важно просто сложно
    опасно секрет тайна длиннее короче сложнее проще надежнее по при без до после под над через бы ли ведь был
    была было были будет ein eine einen der die das den dem des mein meine dein ihr sein unser euer nicht kein
    keine zu sehr noch schon immer nie auch nur und oder aber dass wenn ob wo wie wer im am auf aus bei mit nach
    von vom für zum zur über unter falsch richtig korrekt ungültig gültig schwach stark stärker sicher unsicher
    geheim gleich anders erforderlich nötig notwendig pflicht leer lang länger kurz kürzer gut besser schlecht
    einfach schwer kompliziert alt neu gespeichert hinterlegt versteckt bekannt unbekannt abgelaufen vergessen
    verloren weg geändert zurückgesetzt gesetzt verschlüsselt wichtig ist war hat haben muss müssen soll sollte
    kann wird werden bitte nochmal heute morgen gestern ändern zurücksetzen wurde worden geknackt expire expires
    ever somehow securely telegram whatsapp viber vk yandex mail outlook windows linux android iphone wlan router
    laptop account accounts site server admin root database bank computer phone confirm confirmation компьютер
    компьютера ноутбук ноутбука телефон телефона сайт сайта сервер сервера аккаунт аккаунта админ админа роутер
    принят обновлен изменен придумай придумаю придумал придумала надоел спрошу спроси сказали скажу скажи пишу
    напишу пришлю прислали записали рабочий общий временный
    """
)
"""Words that may follow "password" without being one."""
