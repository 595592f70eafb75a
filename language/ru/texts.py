"""The bot's own texts in Russian."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.ru.answer_phrases import ANSWER_PHRASES, DAY, MONTHS
from language.ru.call_texts import CALLS
from language.ru.chat_texts import CHAT
from language.ru.costs_texts import COSTS
from language.ru.document_texts import DOCUMENTS
from language.ru.file_texts import FILES
from language.ru.media_texts import MEDIA
from language.ru.memory_view_texts import MEMORY_VIEWS
from language.ru.page_texts import PAGE_TEXTS
from language.ru.porting_texts import EXPORTING, IMPORTING
from language.ru.reminder_texts import REMINDER_TEXTS
from language.ru.session_texts import SESSIONS
from language.ru.settings_texts import SETTINGS
from language.ru.users_texts import USERS
from language.ru.web_texts import WEB
from language.texts import (
    BasicTexts,
    Dates,
    DoubtTexts,
    ForgetTexts,
    LoopTexts,
    MemoryTexts,
    NoticeTexts,
    OperatorTexts,
    RememberTexts,
    ServiceTexts,
    SkillTexts,
    StatusTexts,
    Texts,
    UserTexts,
    WhyTexts,
)

_WEEKDAYS: Final = (
    *("понедельник", "вторник", "среда", "четверг"),
    *("пятница", "суббота", "воскресенье"),
)

TEXTS: Final = Texts(
    dates=Dates(
        months=MONTHS,
        weekdays=_WEEKDAYS,
        day=DAY,
        weekday="{weekday}, {day}",
        moment="{day}, {time}",
    ),
    service=ServiceTexts(
        stranger=("Это личный ассистент. Попросите у владельца код доступа и пришлите мне: /pair КОД\nВаш id: {id}."),
        wrong_code="Этот код не подходит или уже не действует. Попросите у владельца новый.",
        group_not_listed="Этой группы нет в моём списке. Её id для настроек: {id}",
        group_joined=(
            "Здравствуйте! В этой группе я пока не работаю. Чтобы разрешить, добавьте {id} в telegram.allowedChats "
            "в настройках."
        ),
        group_served=(
            "Здравствуйте! Здесь я отвечаю, когда меня упоминают, отвечают на моё сообщение или дают команду: /help"
        ),
        anonymous_admin=(
            "Вы пишете от имени группы, и я не знаю, кто вы. Напишите от своего имени или добавьте {id} в "
            "telegram.allowedUsers, чтобы впустить анонимных администраторов."
        ),
        button_refused="Эта кнопка не для вас.",
        button_not_yours="Эту кнопку может нажать только тот, кто спрашивал.",
        button_expired="Эта кнопка больше не действует.",
        button_changed="С тех пор память изменилась. Спросите меня ещё раз.",
        button_not_now="Память сейчас недоступна. Попробуйте позже.",
    ),
    notice=NoticeTexts(
        failed="Простите, у меня что-то сломалось, и ответить не получилось. Попробуйте ещё раз.",
        poisoned=(
            "Простите, с этим сообщением я не справился несколько раз и отложил его. Оператор сможет разобраться."
        ),
        unsupported="Я не умею читать {what} и ничего из этого не сохранил. Напишите словами, что там важно.",
        unread="Я не умею читать {what}: я видел ваши слова, но не то, что к ним приложено.",
        edited="Исправление учтено.",
        attachments=MappingProxyType(
            {
                "photo": "фотографии",
                "document": "документы",
                "voice": "голосовые сообщения",
                "audio": "аудиозаписи",
                "video": "видео",
                "video_note": "видеосообщения",
                "animation": "анимации",
                "sticker": "стикеры",
                "contact": "контакты",
                "location": "геопозиции",
                "poll": "опросы",
            }
        ),
        attachment_other="такие сообщения",
        memory_paused=(
            "Внимание: сейчас я не могу записывать в память и не запомню этот разговор, пока это не исправят. "
            "Отвечать я продолжаю."
        ),
        memory_refused=(
            "Внимание: сервер долговременной памяти занят другим чатом, поэтому в него этот чат пока не попадает. "
            "Сказанное здесь я всё равно помню."
        ),
        command_failed="Простите, не получилось: память сейчас недоступна. Попробуйте позже.",
        not_borne_out="(Осторожно: то, что я помню, этого не подтверждает.)",
    ),
    answers=ANSWER_PHRASES,
    documents=DOCUMENTS,
    files=FILES,
    page=PAGE_TEXTS,
    chat=CHAT,
    loop=LoopTexts(
        stopped="(остановлено)",
        out_of_time="Здесь я остановился: ответ занял больше {seconds} секунд (llm.wallSeconds).",
        out_of_calls="Здесь я остановился: шагов понадобилось больше, чем можно на одно сообщение (llm.maxCalls).",
        failed="Не удалось обратиться к языковой модели: {reason}",
        broke_off="На этом ответ оборвался: {reason}",
        empty="Языковая модель ничего не ответила. Попробуйте спросить иначе или ещё раз.",
        cut_short="Ответ обрезан по пределу длины (llm.maxTokens). Скажите «дальше», и я продолжу.",
        ask="Здесь был чужой текст, поэтому без вашего слова я ничего не запоминаю. Запомнить именно это? {text}",
        agree="Запомнить",
        ask_forget="Без вашего слова я ничего не забываю. Забыть именно это? {text}",
        agree_forget="Забыть",
    ),
    basic=BasicTexts(
        start=(
            "Здравствуйте{name}! Я Mneme, ассистент, который помнит.\n\n"
            "Рассказывайте как есть и спрашивайте хоть через день, хоть через год. Всё хранится в собственной памяти "
            "этого чата; я показываю, откуда что взял (/why), и забываю, когда попросите (/forget).\n\n"
            "Все команды: /help"
        ),
        start_without_model=(
            "Языковая модель не настроена, поэтому я отвечаю тем, что вы мне рассказали. Чтобы её добавить, задайте "
            "llm.url и llm.model в preferences/runtime-config.json (и LLM_API_KEY, если нужен ключ)."
        ),
        help_head="Что я умею:",
        help_tail="Всё остальное — просто разговор, и я его помню.",
        commands=MappingProxyType(
            {
                "start": "кто я",
                "help": "этот список",
                "new": "начать разговор заново; память остаётся",
                "stop": "прервать ответ, который пишется",
                "status": "состояние, что я помню, что ждёт",
                "memory": "посмотреть, найти, исправить, закрепить воспоминания",
                "remember": "запомнить именно этот текст",
                "forget": "забыть одно, найденное или всё",
                "undo": "вернуть только что забытое или изменённое",
                "why": "на чём основан последний ответ",
                "docs": "документы, которые я прочитал",
                "ask": "спросить один документ: /ask ИМЯ вопрос",
                "skill": "включить или выключить навык",
                "settings": "язык, память, тихие часы и другое для этого чата",
                "sessions": "разговоры этого чата и путь назад в любой из них",
                "compact": "кратко изложить старую часть этого разговора",
                "page": "ваша память на странице в браузере",
                "export": "забрать всё из этого чата файлом",
                "import": "перенести переписку из файла",
                "usage": "токены и расходы этого чата",
                "remind": "напоминание: /remind завтра в 9 позвонить Вере",
                "reminders": "показать, перенести и отменить напоминания",
            }
        ),
        unknown_command="Я не знаю команды /{name}.",
        did_you_mean="Может быть, /{name}?",
        edited_command="Исправленная команда не выполняется. Пришлите её, пожалуйста, новым сообщением.",
        new_session="Начнём заново. Этот разговор закрыт, а всё, что я помню, остаётся со мной.",
        stopped="Остановлено.",
        nothing_to_stop="Останавливать нечего: сейчас я ничего не пишу.",
        waiting="Сообщений ещё ждёт ответа: {count}",
        drop_waiting="Не отвечать на них",
        dropped="Сообщений осталось без ответа: {count}",
    ),
    doubt=DoubtTexts(
        one="Последний ответ мог не дойти.",
        many="Последние ответы могли не дойти: {count}",
        show="Показать ещё раз",
        nothing="Показывать нечего: ответы дошли или больше не хранятся.",
    ),
    users=USERS,
    status=StatusTexts(
        head="Состояние",
        model="Языковая модель: {model}",
        no_model="Языковая модель не настроена: ответы только из памяти.",
        window="окно {tokens} токенов, {source}",
        window_sources=MappingProxyType(
            {"settings": "задано", "server": "по словам сервера", "assumed": "предположительно: сервер не говорит"}
        ),
        tokens_today="Токены этого чата за сегодня: прочитано {prompt}{cached}, написано {completion}; "
        "из них в фоне {background} ({share} %)",
        tokens_in_all="Токены этого чата всего: прочитано {prompt}{cached}, написано {completion}; "
        "из них в фоне {background} ({share} %)",
        tokens_cached=" (из кеша сервера {share} %)",
        memory="Воспоминаний этого чата: {total}",
        memory_off="Память выключена (memory.enabled).",
        parts=MappingProxyType(
            {
                "config": "настройки",
                "store": "хранилище",
                "lightrag": "долговременная память (LightRAG)",
                "llm": "языковая модель",
                "telegram": "Telegram",
                "memory": "воспоминания",
                "tokens": "токены",
                "outbox": "очередь долговременной памяти",
                "deliveries": "доставка",
                "imports": "импорт",
                "backups": "резервные копии",
            }
        ),
        reasons=MappingProxyType(
            {
                "switched off (rag.enabled)": "выключена (rag.enabled)",
                "none configured (llm.url); answers come from memory alone": "не настроена (llm.url)",
                "no token (TELEGRAM_TOKEN); the terminal chat is used": "нет токена (TELEGRAM_TOKEN)",
                "the embedded memory server is starting": "запускается",
            }
        ),
        waiting="Ждут долговременной памяти: {count}",
        dead="Долговременная память отказалась: {count}; `mneme dead-letters --revive` попробует ещё раз",
        nothing_waiting="Долговременная память ничего не ждёт.",
        unknown_deliveries="Ответов, которые могли не дойти: {count} (/again покажет их)",
        refused_deliveries="Ответов, которые не удалось доставить: {count}",
        refused_import="Последний импорт, {name}, не выполнен: {reason}",
        backups="Резервных копий: {count}, последняя от {at}, всего {size} МБ",
        no_backups="Резервных копий пока нет; они делаются каждый день.",
        states=MappingProxyType({"ok": "в порядке", "degraded": "с перебоями", "down": "не работает"}),
    ),
    memory=MemoryTexts(
        head="Воспоминаний этого чата: {total}",
        found="Воспоминаний со словами «{search}»: {total}",
        empty=(
            "Здесь воспоминаний пока нет. Расскажите что-нибудь или напишите /remember. Сами разговоры хранятся "
            "рядом с этими заметками, и поиск идёт и по ним."
        ),
        none_found="Ничего не нашлось по словам «{search}». Чтобы искать в разговорах, просто спросите меня.",
        none_pinned="Ничего не закреплено. /memory pin НОМЕР — держать воспоминание в уме всегда.",
        none_in_history="Ни одно воспоминание пока не заменено новым.",
        no_wishes="Постоянных пожеланий нет. Скажите, как вам отвечать: «Всегда отвечай в метрических единицах».",
        wishes="Постоянные пожелания:",
        more_wishes="… и ещё {count}: /memory wishes",
        page="Страница {page} из {pages}",
        hint="Найти, исправить, закрепить, забыть: /memory help",
        usage=(
            "- /memory — что есть, с кнопками\n"
            "- /memory open НОМЕР — одно воспоминание и его история\n"
            "- /memory show kinds · show people · show times — по виду, людям, времени\n"
            "- /memory СЛОВА — поиск\n"
            "- /memory page 2 — следующие\n"
            "- /memory wishes · /memory pinned · /memory history\n"
            "- /memory edit НОМЕР новый текст · /memory edit НОМЕР спросит его\n"
            "- /memory pin НОМЕР · /memory unpin НОМЕР\n"
            "- /memory forget НОМЕР"
        ),
        pinned_mark="закреплено",
        superseded_mark="заменено на {id}",
        edited="Теперь в воспоминании {id}: {text}",
        corrected="Исправлено: {text}\nРаньше было: {before}",
        what_holds="Что верно вместо {text}? Скажите в двух словах или посмотрите, что вы мне рассказали.",
        look="Посмотреть",
        pinned="Воспоминание {id} закреплено: я всегда держу его в уме.",
        unpinned="Воспоминание {id} больше не закреплено.",
        not_yours=(
            "Это сказал другой человек: изменить или удалить это могут администраторы группы и мой "
            "владелец. Скажите своими словами, как теперь."
        ),
        missing="Воспоминания {id} здесь нет.",
        sources=MappingProxyType(
            {
                "chat": "из разговора",
                "remember": "вы просили запомнить",
                "summary": "из сводки",
                "import": "импортировано",
                "edit": "исправлено",
            }
        ),
        assistant="ассистент",
        forwarded="{name}, переслано",
        you="вы",
        another="другой человек",
        numbered="участник {id}",
        forwarded_by="{name}, переслано ({by})",
    ),
    memory_views=MEMORY_VIEWS,
    reminders=REMINDER_TEXTS,
    calls=CALLS,
    remember=RememberTexts(
        done="Запомнил под номером {id}: {text}",
        masked="Пропустил то, что похоже на секрет ({kinds}): секретам не место в памяти.",
        kinds=MappingProxyType(
            {
                "API key": "ключ API",
                "bot token": "токен бота",
                "token": "токен",
                "password": "пароль",
                "card number": "номер карты",
                "IBAN": "IBAN",
                "PIN": "PIN-код",
                "seed phrase": "сид-фраза",
                "private key": "закрытый ключ",
            }
        ),
        nothing_left="Похоже, здесь только секрет ({kinds}), а секретам не место в памяти. Ничего не сохранено.",
        usage="Что запомнить? Напишите после команды: /remember День рождения Веры — 3 мая",
        quoted="{author}: {text}",
        off="Память выключена (memory.enabled), сейчас я ничего не могу запомнить.",
        too_long="Для одного воспоминания слишком длинно: {length} знаков, можно до {limit}. Расскажите по частям.",
        too_late="Этот вопрос уже закрыт. Чтобы я что-то запомнил, отправьте /remember и сам текст.",
    ),
    forget=ForgetTexts(
        usage=(
            "Что забыть?\n\n"
            "- /forget СЛОВА — найду и покажу, что подходит\n"
            "- /forget НОМЕР — одно воспоминание (см. /memory)\n"
            "- /forget всё — всё, что я знаю в этом чате"
        ),
        none_found="По словам «{search}» ничего нет, забывать нечего.",
        candidates="Вот что нашлось по словам «{search}». Что из этого забыть?",
        this_one="Забыть {number}",
        all_of_them="Всё перечисленное",
        more="Есть и ещё; уточните другими словами.",
        missing="В памяти этого чата нет: {ref}.",
        confirm_everything=(
            "Будет стёрто всё, что я знаю в этом чате: все разговоры, все воспоминания и долговременная память. "
            "Вернуть это нельзя. Если уверены: /forget всё да"
        ),
        confirm_button="Да, забыть всё",
        done="Забыто.",
        not_yours=(
            "Всё, что помнит эта группа, могут удалить только её администраторы и мой владелец. "
            "Сказанное вами можно забыть: `/forget СЛОВА`."
        ),
        spared=("Сказано другими и осталось: {count}. Это могут удалить администраторы группы и мой владелец."),
        done_everything="Всё из этого чата забыто. Его настройки остаются (/settings).",
        files="Присланные файлы и страницы: {count}",
        exchanges="Удалено реплик разговора: {count}",
        items="Удалено воспоминаний: {count}",
        answers="Стёрто поздних ответов, где это повторялось: {count}",
        documents="Документов долговременной памяти: {count}",
        pending=(
            "Долговременная память получила просьбу удалить своё, но ещё не подтвердила; я буду напоминать, "
            "пока не подтвердит."
        ),
        confirmed="Долговременная память подтвердила удаление.",
        verified="Проверено: поиск больше ничего не находит.",
        residue="Проверено: кое-что ещё осталось, я продолжаю удалять: {count}",
        everything_words=("всё", "все"),
        yes_words=("да",),
        withheld="Долговременная память свою часть уже не показывает и удалит её после этого срока.",
        undoable="Через {seconds} с этого не будет ни в одном файле. До тех пор вернуть можно командой /undo.",
        undo_button="Вернуть",
        undone="Всё вернулось.",
        back_exchanges="Реплик разговора: {count}",
        back_items="Воспоминаний: {count}",
        back_files="Файлов и страниц: {count}",
        back_answers="Очищенных ответов и цитат: {count}",
        back_reminders="Напоминаний: {count}",
        nothing_to_undo="Возвращать нечего: забытого уже нет.",
    ),
    why=WhyTexts(
        nothing_answered="Здесь ещё не было ответа, который я мог бы объяснить.",
        question="Вы спросили: {text}",
        forwarded="Вы переслали от {name}: {text}",
        no_memories="Этот ответ не опирался на воспоминания.",
        head="Ответ основан на воспоминаниях: {count}",
        more="И ещё: {count}",
        channels=MappingProxyType(
            {
                "item": "из моих заметок",
                "store": "из хранилища (сказано дословно)",
                "digest": "кратко, из сказанного",
                "document": "из документа",
                "lightrag chunk": "из LightRAG (текст)",
                "lightrag entity": "из LightRAG (что известно об имени)",
                "lightrag relation": "из LightRAG (как одно связано с другим)",
            }
        ),
        signals=MappingProxyType(
            {
                "words": "слова",
                "near words": "близкие слова",
                "meaning": "смысл",
                "speaker": "кто говорил",
                "date": "дата",
                "certainty": "уверенность",
                "recent": "недавнее",
                "importance": "важность",
                "long-term memory": "LightRAG согласен",
                "rank": "место в LightRAG",
                "second look": "повторный отбор",
                "pinned": "закреплено",
                "kind of message": "вид сообщения",
            }
        ),
        exchange="обмен {uid}",
        strength="совпадение {score}",
        notes="Замечания к этому ответу:",
    ),
    skill=SkillTexts(
        head="Навыки:",
        none="Навыков нет. Положите навык в preferences/skills/ИМЯ/SKILL.md.",
        active="включён",
        on="Навык {name} включён на этот разговор. Выключить: /skill off",
        off="Сейчас ни один навык не включён.",
        unknown="Навыка {name} нет.",
    ),
    exporting=EXPORTING,
    importing=IMPORTING,
    user=UserTexts(
        model_failed="Сейчас моя языковая модель недоступна. Попробуйте позже.",
        broke_off="Здесь ответ оборвался. Спросите ещё раз, чтобы получить остальное.",
        out_of_time="Я остановился: это заняло слишком много времени.",
        out_of_calls="Я остановился: на это нужно больше шагов, чем мне позволено на одно сообщение.",
        cut_short="Ответ обрезан по длине. Напишите «дальше», чтобы получить продолжение.",
        no_model="(Я отвечаю только по памяти: могу повторить то, что мне здесь рассказали, и не больше.)",
        start_without_model="Я отвечаю тем, что вы мне рассказали.",
        memory_off="Память выключена.",
        no_skills="Навыки не установлены.",
    ),
    operator=OperatorTexts(
        needs_a_hand="Этой Mneme нужна помощь: {what}",
        solved="Исправлено: {what}",
        dead_letters=(
            "долговременная память не смогла принять: {count}. `mneme dead-letters` покажет причины, "
            "`mneme dead-letters --revive` попробует ещё раз"
        ),
    ),
    costs=COSTS,
    sessions=SESSIONS,
    settings=SETTINGS,
    web=WEB,
    media=MEDIA,
)
