### Что говорит бот, по-русски. Пояснения стоят в en/texts.ftl.

## dates

dates-months =
    января
    февраля
    марта
    апреля
    мая
    июня
    июля
    августа
    сентября
    октября
    ноября
    декабря
dates-weekdays =
    понедельник
    вторник
    среда
    четверг
    пятница
    суббота
    воскресенье
dates-day = { $day } { $month } { $year }
dates-weekday = { $weekday }, { $day }
dates-moment = { $day }, { $time }

## service

service-stranger =
    Это личный ассистент. Попросите у владельца код доступа и пришлите мне: /pair КОД
    Ваш id: { $id }.
service-wrong_code = Этот код не подходит или уже не действует. Попросите у владельца новый.
service-group_not_listed = Этой группы нет в моём списке. Её id для настроек: { $id }
service-group_joined = Здравствуйте! В этой группе я пока не работаю. Чтобы разрешить, добавьте { $id } в telegram.allowedChats в настройках.
service-group_served = Здравствуйте! Здесь я отвечаю, когда меня упоминают, отвечают на моё сообщение или дают команду: /help
service-anonymous_admin = Вы пишете от имени группы, и я не знаю, кто вы. Напишите от своего имени или добавьте { $id } в telegram.allowedUsers, чтобы впустить анонимных администраторов.
service-button_refused = Эта кнопка не для вас.
service-button_not_yours = Эту кнопку может нажать только тот, кто спрашивал.
service-button_expired = Эта кнопка больше не действует.
service-button_changed = С тех пор память изменилась. Спросите меня ещё раз.
service-button_not_now = Память сейчас недоступна. Попробуйте позже.

## notice

notice-failed = Простите, у меня что-то сломалось, и ответить не получилось. Попробуйте ещё раз.
notice-poisoned = Простите, с этим сообщением я не справился несколько раз и отложил его. Оператор сможет разобраться.
notice-unsupported = Я не умею читать { $what } и ничего из этого не сохранил. Напишите словами, что там важно.
notice-unread = Я не умею читать { $what }: я видел ваши слова, но не то, что к ним приложено.
notice-edited = Исправление учтено.
notice-attachments =
    .photo = фотографии
    .document = документы
    .voice = голосовые сообщения
    .audio = аудиозаписи
    .video = видео
    .video_note = видеосообщения
    .animation = анимации
    .sticker = стикеры
    .contact = контакты
    .location = геопозиции
    .poll = опросы
notice-attachment_other = такие сообщения
notice-memory_paused = Внимание: сейчас я не могу записывать в память и не запомню этот разговор, пока это не исправят. Отвечать я продолжаю.
notice-memory_refused = Внимание: сервер долговременной памяти занят другим чатом, поэтому в него этот чат пока не попадает. Сказанное здесь я всё равно помню.
notice-command_failed = Простите, не получилось: память сейчас недоступна. Попробуйте позже.
notice-not_borne_out = (Осторожно: то, что я помню, этого не подтверждает.)

## answers

answers-greeting = Здравствуйте! Расскажите что-нибудь, что стоит запомнить, или спросите о том, что уже рассказали.
answers-thanks = Пожалуйста!
answers-farewell = До встречи! Всё, что вы рассказали, останется со мной.
answers-wellbeing = Спасибо, хорошо. Расскажите, как у вас, и я запомню.
answers-introduction = Я Mneme, помощник с памятью. Рассказывайте что угодно и спрашивайте об этом хоть через месяцы. Я напоминаю, говорю время и дату и считаю. Все команды: /help
answers-other_smalltalk = Хорошо.
answers-noted = Запомню: { $text }
answers-wish_noted = Записал как постоянное пожелание — для ответов, которые пишет языковая модель: { $text }
answers-heard = Сохраню это так, как вы написали, и найду, когда спросите.
answers-secret_left_out = Секрет я пропустил: паролям и ключам не место в памяти.
answers-told = { $text } (Вы рассказали { $date }.)
answers-told_undated = { $text }
answers-told_quoted = Вы рассказали { $date }: «{ $text }»
answers-told_quoted_undated = Вы рассказали: «{ $text }»
answers-told_these = Вы рассказали { $date }:
answers-told_these_undated = Вы рассказали:
answers-listed = { $text } ({ $date })
answers-told_nothing = Ничего: тогда вы мне ничего не рассказывали.
answers-told_more = … и ещё раньше: { $count }.
answers-nothing_then = Ничего не знаю: { $day }.
answers-coming = Впереди:
answers-reminds = { $time }, напоминание: { $text }
answers-more_about = … и ещё { $count }: /memory { $words }
answers-quoted = «{ $text }»
answers-said = { $name }, { $date }: «{ $text }»
answers-said_undated = { $name }: «{ $text }»
answers-forwarded = Переслано от { $name } { $date }: «{ $text }»
answers-forwarded_undated = Переслано от { $name }: «{ $text }»
answers-forward_noted = Сохраню это как пересланное от { $name }, а не как ваши слова.
answers-shown = Показано мне { $date }: «{ $text }»
answers-shown_undated = Показано мне: «{ $text }»
answers-shown_noted = Сохраню это как показанное мне, а не как ваши слова.
answers-answered = Я ответил { $date }: «{ $text }»
answers-answered_undated = Я ответил: «{ $text }»
answers-imported_answer = Другой ассистент ответил { $date }, в том, что вы импортировали: «{ $text }»
answers-found = В долговременной памяти есть: «{ $text }»
answers-document = «{ $text }» — { $place }
answers-document_page = стр. { $page }
answers-earlier = До этого, { $date }: { $text }
answers-earlier_undated = До этого: { $text }
answers-rest = Осталось: { $amount }.
answers-sum = Вместе: { $amount }.
answers-age = Сегодня полных лет: { $years }.
answers-age_then = В { $year } году исполнится: { $years }.
answers-perhaps = Точно не знаю. Может быть, поможет это: { $line }
answers-unknown = Не знаю: ничего из того, что мне здесь рассказали, на это не отвечает.
answers-unread = Пока не знаю: я не успел просмотреть всё, что мне рассказали. Спросите, пожалуйста, ещё раз.
answers-not_answered = Ещё вопросов: { $count }. Пришлите их, пожалуйста, отдельно.
answers-how_to_forget = Пока ничего не забыто. Напишите /forget и слово оттуда: я покажу, что нашёл, и сотру.
answers-needs_model = Я могу только повторить то, что мне рассказали; для этого нужна языковая модель.
answers-in_order = По порядку времени:
answers-gathered = Что я об этом нахожу, по дням:
answers-decided = Что было решено:
answers-no_model = (Языковая модель не настроена, я отвечаю только из памяти. Чтобы её добавить: llm.url и llm.model в preferences/runtime-config.json или LLM_URL, LLM_MODEL и LLM_API_KEY.)
    .user = (Я отвечаю только по памяти: могу повторить то, что мне здесь рассказали, и не больше.)
answers-another = Другой человек
answers-another_source = другого человека
answers-numbered = Участник { $id }
answers-today = сегодня
answers-yesterday = вчера
answers-on_weekdays =
    в понедельник
    во вторник
    в среду
    в четверг
    в пятницу
    в субботу
    в воскресенье
answers-on_date = { $date }
answers-weekday_date = { $weekday }, { $date }
answers-day = { $day } { $month }
answers-date = { $day } { $month } { $year } года
answers-months = { dates-months }

## documents

documents-reading = Читаю { $name } …
documents-read = Прочитал: { $name } ({ $about }).
documents-known = Этот документ я уже знаю: { $name } ({ $about }); ничего не добавлено.
documents-renewed = Он занял место прежнего с этим именем (версия { $version }).
documents-cut = Он длиннее, чем мне можно читать: остальное не прочитано.
documents-masked = То, что похоже на секрет, я не сохранил.
documents-how_to_ask = Спросите меня о нём или ответьте на это сообщение. /docs показывает, что я прочитал.
documents-failed = Не удалось прочитать { $name }: { $reason }.
documents-export = { $name } – это экспорт переписки. Чтобы перенести сообщения, пришлите файл ещё раз с подписью /import (в терминале: /import ПУТЬ). Я ничего из него не сохранил.
documents-links_off = Ссылки я здесь не открываю (documents.links); адрес сохраню так, как вы его написали.
documents-memory_off = Пока память выключена, я ничего не сохраняю, поэтому { $name } я не читал.
documents-unnamed = файл
documents-reasons =
    .other = с ним что-то не так
    .encrypted = он защищён паролем
    .too_large = он слишком большой (documents.maxMegabytes)
    .empty = он пустой
    .no_text = в нём нет текста, только картинки
    .damaged = он повреждён
    .no_reader = то, чем его читать, здесь не установлено (pip install 'mneme[documents]')
    .unknown_kind = такие файлы я не знаю
    .rich_text = формат .rtf я не читаю; сохраните его как .docx
    .archive = архивы я не распаковываю; пришлите файлы из него по одному
    .old_office = старые форматы .doc, .xls и .ppt я не читаю; сохраните файл как .docx, .xlsx или .pptx
    .outlook = собственный формат Outlook (.msg) я не читаю; сохраните письмо как .eml
    .timed_out = это заняло слишком много времени
    .gone = его больше нет
    .unreachable = сейчас он недоступен, попробуйте позже
    .disk = для него здесь нет места
    .private = этот адрес не публичный
    .scheme = читать можно только адреса http и https
    .port = читаются только обычные веб-адреса
    .credentials = читаются только обычные веб-адреса
    .kind = я не знаю, что там лежит
    .malformed = это не адрес
    .status = сайт отвечает ошибкой
    .unresolved = такого адреса нет
    .redirects = адрес ведёт по кругу
documents-about_pages = страниц: { $count }
documents-about_sections = разделов: { $count }
documents-about_characters = знаков: { $count }
documents-place_page = стр. { $page }
documents-listed = Документов: { $count }
documents-none = Здесь я ещё не прочитал ни одного документа. Пришлите мне файл или ссылку.
documents-open_button = Открыть { $number }
documents-forget_button = Забыть
documents-added = Добавлен { $day }, { $author }.
documents-source = Источник: { $url }
documents-outline = Разделы:
documents-more_sections = … и ещё: { $count }
documents-confirm = Забыть { $name } и всё, что я в нём прочитал?
documents-yes_forget = Да, забыть
documents-several = Под именем «{ $name }» может подразумеваться несколько документов:
documents-missing = Документа «{ $name }» у меня нет. /docs показывает, что я прочитал.
documents-from_terminal = Путь можно указать только в чате терминала. Здесь пришлите мне файл.
documents-usage = /docs показывает документы; /docs ИМЯ открывает один; /docs forget ИМЯ забывает его.
documents-ask_usage = Спросите так: /ask ИМЯ вопрос (имя или номер есть в /docs).
documents-page_of = Страница { $page } из { $pages }

## files

files-whole_answer = Весь ответ — в файле { $name }.
files-answer = ответ
files-too_large = Файл { $name } занимает { $size } МБ, а больше { $most } МБ сюда отправить нельзя.
files-not_here = Файл { $name } сюда отправить нельзя.
files-gone = Файла { $name } больше нет.
files-refused = Файл { $name } не удалось отправить: чат его не принял.

## chat

chat-stop_button = ■ Стоп
chat-description =
    Помощник, который помнит, что вы ему рассказали, и показывает, что он помнит.

    Пишите ему как человеку. /memory покажет, что он знает, /why — из чего сложился ответ, а /forget удалит навсегда.

    Он работает на чьём-то собственном сервере и отвечает тем, кого допустил владелец.
chat-short_description = Помощник с памятью, которую можно увидеть, исправить и удалить. Что он умеет: /help.
chat-owner_commands =
    .users = кто вошёл по коду (чужой присылает его: /pair КОД)
    .tools = инструменты других программ
    .again = ответы, которые могли не дойти
chat-topics =
    .memory = Расскажите что-нибудь, и я запомню: кто вы, что решили, что любите. Спросите — отвечу из этого. /memory покажет всё, что я храню, /why — из чего сложился последний ответ.
    .privacy = Написанное хранится на собственном сервере моего владельца. /forget удалит одно воспоминание или все, до последнего байта; пароли и ключи скрываются до сохранения. Что помнит личный чат, в группе не всплывает.
    .groups = В группе я отвечаю на команды, на своё имя и на ответы мне; остальное не читаю. У группы своя память. В каких группах я работаю, решает мой владелец.

## loop

loop-stopped = (остановлено)
loop-out_of_time = Здесь я остановился: ответ занял больше { $seconds } секунд (llm.wallSeconds).
    .user = Я остановился: это заняло слишком много времени.
loop-out_of_calls = Здесь я остановился: шагов понадобилось больше, чем можно на одно сообщение (llm.maxCalls).
    .user = Я остановился: на это нужно больше шагов, чем мне позволено на одно сообщение.
loop-failed = Не удалось обратиться к языковой модели: { $reason }
    .user = Сейчас моя языковая модель недоступна. Попробуйте позже.
loop-broke_off = На этом ответ оборвался: { $reason }
    .user = Здесь ответ оборвался. Спросите ещё раз, чтобы получить остальное.
loop-empty = Языковая модель ничего не ответила. Попробуйте спросить иначе или ещё раз.
loop-cut_short = Ответ обрезан по пределу длины (llm.maxTokens). Скажите «дальше», и я продолжу.
    .user = Ответ обрезан по длине. Напишите «дальше», чтобы получить продолжение.
loop-ask = Здесь был чужой текст, поэтому без вашего слова я ничего не запоминаю. Запомнить именно это? { $text }
loop-agree = Запомнить
loop-ask_forget = Без вашего слова я ничего не забываю. Забыть именно это? { $text }
loop-agree_forget = Забыть

## basic

basic-start =
    Здравствуйте{ $name }! Я Mneme, ассистент, который помнит.

    Рассказывайте как есть и спрашивайте хоть через день, хоть через год. Всё хранится в собственной памяти этого чата; я показываю, откуда что взял (/why), и забываю, когда попросите (/forget).

    Все команды: /help
basic-start_without_model = Языковая модель не настроена, поэтому я отвечаю тем, что вы мне рассказали. Чтобы её добавить, задайте llm.url и llm.model в preferences/runtime-config.json (и LLM_API_KEY, если нужен ключ).
    .user = Я отвечаю тем, что вы мне рассказали.
basic-help_head = Что я умею:
basic-help_tail = Всё остальное — просто разговор, и я его помню.
basic-commands =
    .start = кто я
    .help = этот список всех команд
    .new = начать разговор заново; память остаётся
    .stop = прервать ответ, который пишется
    .status = состояние, что я помню, что ждёт
    .memory = посмотреть, найти, исправить, закрепить воспоминания
    .remember = запомнить именно этот текст
    .forget = забыть и удалить одно, найденное или все ваши данные
    .undo = отменить: вернуть только что забытое или изменённое
    .why = на чём основан последний ответ и почему; /why числа: с цифрами
    .docs = документы (PDF, Word, текст …), которые я прочитал
    .ask = спросить один документ: /ask ИМЯ вопрос
    .skill = включить или выключить навык
    .settings = язык, на котором я говорю, память, тихие часы и другое для этого чата
    .sessions = разговоры этого чата и путь назад в любой из них
    .compact = кратко изложить старую часть этого разговора
    .page = ваша память на странице в браузере
    .export = экспортировать все данные этого чата файлом
    .import = импортировать переписку (Telegram, WhatsApp, ChatGPT …) из файла
    .usage = сколько потрачено токенов и сколько стоит этот чат
    .remind = поставить напоминание: /remind завтра в 9 позвонить Вере
    .reminders = показать, перенести и отменить напоминания
    .list = списки, что купить и что сделать: /list add список покупок: молоко
    .lists = все списки
basic-unknown_command = Я не знаю команды /{ $name }.
basic-did_you_mean = Может быть, /{ $name }?
basic-edited_command = Исправленная команда не выполняется. Пришлите её, пожалуйста, новым сообщением.
basic-new_session = Начнём заново. Этот разговор закрыт, а всё, что я помню, остаётся со мной.
basic-stopped = Остановлено.
basic-nothing_to_stop = Останавливать нечего: сейчас я ничего не пишу.
basic-not_yours_to_stop = Я отвечаю на чужой вопрос: остановить ответ может тот, кто спросил, или мой владелец.
basic-waiting = Сообщений ещё ждёт ответа: { $count }
basic-drop_waiting = Не отвечать на них
basic-dropped = Сообщений осталось без ответа: { $count }

## doubt

doubt-undelivered =
    { $count ->
        [1] Последний ответ мог не дойти.
       *[other] Последние ответы могли не дойти: { $count }
    }
doubt-show = Показать ещё раз
doubt-nothing = Показывать нечего: ответы дошли или больше не хранятся.

## users

users-head = Кому можно говорить со мной
users-none = Говорить со мной пока никому нельзя. Впустите кого-нибудь по коду:
users-owner_only = Только владелец (telegram.ownerId) видит и меняет, кому можно говорить со мной.
users-not_here = Кому можно говорить со мной, я называю только в нашем личном чате.
users-line = { $who } – сообщений: { $messages }
users-by_code = Впущен по коду: { $day }
users-by_settings = Впущен в конфигурации (telegram.allowedUsers)
users-seen = Последнее сообщение: { $moment }
users-never_seen = Ещё не писал
users-messages = Сохранённых сообщений: { $count }
users-tokens = Токенов в этом месяце: { $count }
users-owner = (мой владелец)
users-revoke_button = Отозвать
users-back = ‹ Назад
users-confirm = Больше не впускать: { $who }? Следующее сообщение будет сообщением незнакомца. То, что запомнено, остаётся.
users-confirm_button = Отозвать { $id }
users-revoked = Доступ отозван: { $id }. То, что запомнено, остаётся, и новый код снова откроет к этому доступ.
users-unknown = { $id }: доступа по коду нет.
users-listed = { $id } впущен в конфигурации (telegram.allowedUsers), убрать его можно только там.
users-invite_button = Пригласить кого-нибудь
users-invited =
    Передайте это: `/start { $code }`
    Код впускает одного человека, один раз, в течение { $minutes } минут, в личном чате со мной.
users-link = Или ссылкой: { $link }
users-no_bot = Бота Telegram нет: задайте TELEGRAM_TOKEN в .env или в окружении.
users-pairing_off = Коды выключены (telegram.pairing).

## status

status-head = Состояние
status-model = Языковая модель: { $model }
status-no_model = Языковая модель не настроена: ответы только из памяти.
status-window = окно { $tokens } токенов, { $source }
status-window_sources =
    .settings = задано
    .server = по словам сервера
    .assumed = предположительно: сервер не говорит
status-tokens_today = Токены этого чата за сегодня: прочитано { $prompt }{ $cached }, написано { $completion }; из них в фоне { $background } ({ $share } %)
status-tokens_in_all = Токены этого чата всего: прочитано { $prompt }{ $cached }, написано { $completion }; из них в фоне { $background } ({ $share } %)
status-tokens_cached = { " " }(из кеша сервера { $share } %)
status-memory = Воспоминаний этого чата: { $total }
status-memory_off = Память выключена (memory.enabled).
    .user = Память выключена.
status-parts =
    .config = настройки
    .store = хранилище
    .lightrag = долговременная память (LightRAG)
    .llm = языковая модель
    .telegram = Telegram
    .memory = воспоминания
    .tokens = токены
    .outbox = очередь долговременной памяти
    .deliveries = доставка
    .imports = импорт
    .backups = резервные копии
status-reasons =
    .switched-off-rag-enabled = выключена (rag.enabled)
    .none-configured-llm-url-answers-come-from-memory-alone = не настроена (llm.url)
    .no-token-TELEGRAM_TOKEN-the-terminal-chat-is-used = нет токена (TELEGRAM_TOKEN)
    .the-embedded-memory-server-is-starting = запускается
status-waiting = Ждут долговременной памяти: { $count }
status-dead = Долговременная память отказалась: { $count }; `mneme dead-letters --revive` попробует ещё раз
status-nothing_waiting = Долговременная память ничего не ждёт.
status-unknown_deliveries = Ответов, которые могли не дойти: { $count } (/again покажет их)
status-refused_deliveries = Ответов, которые не удалось доставить: { $count }
status-refused_import = Последний импорт, { $name }, не выполнен: { $reason }
status-backups = Резервных копий: { $count }, последняя от { $at }, всего { $size } МБ
status-no_backups = Резервных копий пока нет; они делаются каждый день.
status-backed_up_by = Резервные копии: средствами { $tool }, не Mneme.
status-states =
    .ok = в порядке
    .degraded = с перебоями
    .down = не работает

## memory

memory-head = Воспоминаний этого чата: { $total }
memory-found = Воспоминаний со словами «{ $search }»: { $total }
memory-empty = Здесь воспоминаний пока нет. Расскажите что-нибудь или напишите /remember. Сами разговоры хранятся рядом с этими заметками, и поиск идёт и по ним.
memory-none_found = Ничего не нашлось по словам «{ $search }». Чтобы искать в разговорах, просто спросите меня.
memory-none_pinned = Ничего не закреплено. /memory pin НОМЕР — держать воспоминание в уме всегда.
memory-none_in_history = Ни одно воспоминание пока не заменено новым.
memory-no_wishes = Постоянных пожеланий нет. Скажите, как вам отвечать: «Всегда отвечай в метрических единицах».
memory-wishes = Постоянные пожелания:
memory-more_wishes = … и ещё { $count }: /memory wishes
memory-page = Страница { $page } из { $pages }
memory-hint = Найти, исправить, закрепить, забыть: /memory help
memory-usage =
    - /memory — что есть, с кнопками
    - /memory open НОМЕР — одно воспоминание и его история
    - /memory show kinds · show people · show times — по виду, людям, времени
    - /memory СЛОВА — поиск
    - /memory page 2 — следующие
    - /memory wishes · /memory pinned · /memory history
    - /memory edit НОМЕР новый текст · /memory edit НОМЕР спросит его
    - /memory pin НОМЕР · /memory unpin НОМЕР
    - /memory forget НОМЕР
memory-pinned_mark = закреплено
memory-superseded_mark = заменено на { $id }
memory-edited = Теперь в воспоминании { $id }: { $text }
memory-corrected =
    Исправлено: { $text }
    Раньше было: { $before }
memory-what_holds = Что верно вместо { $text }? Скажите в двух словах или посмотрите, что вы мне рассказали.
memory-look = Посмотреть
memory-pinned = Воспоминание { $id } закреплено: я всегда держу его в уме.
memory-unpinned = Воспоминание { $id } больше не закреплено.
memory-not_yours = Это сказал другой человек: изменить или удалить это могут администраторы группы и мой владелец. Скажите своими словами, как теперь.
memory-missing = Воспоминания { $id } здесь нет.
memory-sources =
    .chat = из разговора
    .remember = вы просили запомнить
    .summary = из сводки
    .import = импортировано
    .edit = исправлено
memory-assistant = ассистент
memory-forwarded = { $name }, переслано
memory-forwarded_by = { $name }, переслано ({ $by })
memory-you = вы
memory-another = другой человек
memory-numbered = участник { $id }

## calls

calls-ask = Я сделаю это, только если вы хотите. Выполнить именно этот вызов? { $text }
calls-agree = Выполнить
calls-done = Сделано. { $tool } ({ $server }) отвечает:
calls-nothing = Сделано. { $tool } ({ $server }) ничего не ответил.
calls-failed = { $tool } ({ $server }) этого не сделал:
calls-unsure = Неизвестно, сделал ли это { $tool } ({ $server }); сам я повторять не буду:
calls-too_late = Этот вопрос уже закрыт. Ничего не сделано. Спросите меня ещё раз.
calls-history = (Пользователь согласился, был вызван { $tool } ({ $server }). Выше — его ответ.)
calls-owner_only = Это может только владелец бота.
calls-none = Серверы инструментов не настроены (mcp.servers).
calls-head = Инструменты других программ:
calls-states =
    .starting = запускается
    .ready = готов
    .down = недоступен
calls-asks = сначала спрашивает
calls-runs = работает сам
calls-held = придержан: описывает себя иначе, чем когда его одобрили: { $text }
calls-approve = Одобрить { $tool }
calls-approved = { $tool } ({ $server }) можно использовать таким, как он описывает себя сейчас.
calls-changed = { $tool } ({ $server }) теперь описывает себя иначе. Посмотрите ещё раз: /tools

## memory_views

memory_views-kinds =
    .decision = Решения
    .constraint = Правила
    .failure = Проблемы
    .fix = Способы исправить
    .preference = Вкусы и привычки
    .project_fact = Факты
    .task_state = Задачи
    .command_result = Результаты
memory_views-times =
    .week = Эта неделя
    .month = Этот месяц
    .year = Этот год
    .older = Раньше
memory_views-by_kind = По виду
memory_views-by_person = По людям
memory_views-by_time = По времени
memory_views-pinned = Закреплённые
memory_views-history = Заменённые
memory_views-home = Все воспоминания
memory_views-back = ‹ Назад
memory_views-people_head = Кто это сказал и о ком или о чём это:
memory_views-times_head = Когда это сказано:
memory_views-kinds_head = По виду:
memory_views-counted = { $name } — { $total }
memory_views-said_by = Сказал(а): { $name }
memory_views-about = О теме: { $name }
memory_views-nobody = неизвестно кто
memory_views-gone = Воспоминания { $id } больше нет. Вот что есть сейчас:
memory_views-none_here = Здесь больше ничего нет.
memory_views-opened = Воспоминание { $id } · { $kind }
memory_views-from_message = Из сообщения: { $text }
memory_views-cut = … и ещё знаков: { $count }
memory_views-replaced_head = Оно заменило:
memory_views-replaced_by = Заменено на { $id }: { $text }
memory_views-withdrawn = Отозвано: сообщение, где это было сказано, исправили.
memory_views-used = Пригодилось в ответах: { $count }
memory_views-used_last = Пригодилось в ответах: { $count }, последний раз { $day }
memory_views-never_used = В ответах ещё не пригодилось.
memory_views-restated = Сказано ещё раз: { $count }
memory_views-edit = Исправить
memory_views-pin = Закрепить
memory_views-unpin = Открепить
memory_views-forget = Забыть
memory_views-cancel = Отмена
memory_views-put_back = Вернуть как было
memory_views-ask_edit = Следующее ваше сообщение, если оно придёт в ближайшие минуты ({ $minutes }), станет новым текстом воспоминания { $id }. Сейчас в нём:
memory_views-ask_edit_group = Ответьте на это сообщение новым текстом воспоминания { $id }; на это есть минут: { $minutes }. Сейчас в нём:
memory_views-changed = Воспоминание { $id } тем временем изменилось. Ничего не сделано; сейчас оно такое:
memory_views-confirm_forget = Забыть воспоминание { $id }? Вместе с ним уйдёт то, откуда оно взято:
memory_views-answered = Мой ответ: { $text }
memory_views-learned = Из этого запомнено:
memory_views-open_number = Открыть { $number }
memory_views-pressed = Выбрано: «{ $label }».

## remember

remember-done = Запомнил под номером { $id }: { $text }
remember-masked = Пропустил то, что похоже на секрет ({ $kinds }): секретам не место в памяти.
remember-kinds =
    .API-key = ключ API
    .bot-token = токен бота
    .token = токен
    .password = пароль
    .card-number = номер карты
    .IBAN = IBAN
    .PIN = PIN-код
    .seed-phrase = сид-фраза
    .private-key = закрытый ключ
remember-nothing_left = Похоже, здесь только секрет ({ $kinds }), а секретам не место в памяти. Ничего не сохранено.
remember-usage = Что запомнить? Напишите после команды: /remember День рождения Веры — 3 мая
remember-quoted = { $author }: { $text }
remember-off = Память выключена (memory.enabled), сейчас я ничего не могу запомнить.
remember-too_long = Для одного воспоминания слишком длинно: { $length } знаков, можно до { $limit }. Расскажите по частям.
remember-too_late = Этот вопрос уже закрыт. Чтобы я что-то запомнил, отправьте /remember и сам текст.

## reminders

reminders-kept = Напомню: { $when } ({ $zone }): { $text }
reminders-kept_repeated = Буду напоминать { $repeat } ({ $zone }), впервые: { $when }: { $text }
reminders-changed = Напоминание изменено.
reminders-assumed_time = Время дня вы не назвали, поэтому взято { $time }.
reminders-assumed_zone = Часовой пояс взят такой: { $zone }. Если он не ваш, укажите свой в /settings: напоминания передвинутся вместе с ним.
reminders-untitled = ваше напоминание
reminders-alarm = подъём
reminders-ask_when = Когда напомнить: { $text }? Например: завтра в 9.
reminders-ask_when_event = Не знаю, когда это будет. В какое время напомнить: { $text }?
reminders-ambiguous = Какое время вы имеете в виду: { $text }?
reminders-waiting = Ещё не поставлено, не знаю, на когда: { $text }
reminders-past = { $when } уже прошло ({ $zone }), поэтому напоминания нет. Назовите время, которое ещё наступит.
reminders-never = Такого времени не бывает, или до него слишком далеко, поэтому напоминания нет.
reminders-too_many = Напоминаний здесь уже { $count }, больше нельзя. Отмените лишние: /reminders
reminders-head = Напоминаний: { $total }
reminders-none = Напоминаний нет. Скажите, например: напомни завтра в 9 позвонить Вере.
reminders-hint = Отменить: /remind cancel НОМЕР · другое время: /remind move НОМЕР КОГДА
reminders-usage =
    /remind КОГДА ЧТО, например: /remind завтра в 9 позвонить Вере
    /remind каждый понедельник в 8 вынести мусор
    /remind cancel НОМЕР · /remind move НОМЕР КОГДА · /remind snooze НОМЕР КОГДА
    /reminders показывает все
reminders-missing = Напоминания { $number } здесь нет.
reminders-not_yours = Изменить это напоминание может только тот, кто о нём попросил.
reminders-done = Готово: { $text }
reminders-cancelled = Отменено: { $text }
reminders-put_back_button = Вернуть
reminders-which_cancel = Какое напоминание отменить?
reminders-which_move = Какое напоминание перенести?
reminders-named = Вот о чём я напомню:
reminders-is_set = Стоит так: { $line }
reminders-not_set = Сейчас такого напоминания нет.
reminders-none_named = Об этом напоминания нет. Вот какие есть:
reminders-no_new_time = На когда перенести? Например: перенеси на завтра в 9.
reminders-confirm_cancel_all = Отменить все ваши напоминания здесь ({ $count })?
reminders-cancel_all_button = Отменить все
reminders-cancelled_all = Отменено: { $count }
reminders-offer_new = Напомнить об этом?
reminders-offer_move = Есть напоминание: { $text } Перенести его?
reminders-move_to_button = { $when }
reminders-snoozed = Напомню ещё раз: { $when } ({ $zone }): { $text }
reminders-next = Следующий раз: { $when }
reminders-late_down = Это нужно было сказать { $when }. Тогда я не работал.
reminders-late = Это нужно было сказать { $when }. Тогда не удалось отправить.
reminders-missed = Кроме того, пропущено: { $count }
reminders-done_button = ✓ Готово
reminders-minutes_button = 10 мин
reminders-hour_button = 1 ч
reminders-tomorrow_button = Завтра
reminders-cancel_button = ✕ Отменить
reminders-back_button = ‹ Список
reminders-open_button = № { $number }
reminders-agree_button = Да, напомни
reminders-ask_agreement = Напомнить? { $when } ({ $zone }): { $text }
reminders-repeats =
    .minute =
        { $count ->
            [1] каждую минуту
            [one] раз в { $count } минуту
            [few] раз в { $count } минуты
           *[many] раз в { $count } минут
        }
    .hour =
        { $count ->
            [1] каждый час
            [one] раз в { $count } час
            [few] раз в { $count } часа
           *[many] раз в { $count } часов
        }
    .day =
        { $count ->
            [1] каждый день
            [one] раз в { $count } день
            [few] раз в { $count } дня
           *[many] раз в { $count } дней
        }
    .week =
        { $count ->
            [1] { $days }
            [one] раз в { $count } неделю ({ $days })
            [few] раз в { $count } недели ({ $days })
           *[many] раз в { $count } недель ({ $days })
        }
    .month =
        { $count ->
            [1] { $day }-го числа каждого месяца
            [one] раз в { $count } месяц, { $day }-го числа
            [few] раз в { $count } месяца, { $day }-го числа
           *[many] раз в { $count } месяцев, { $day }-го числа
        }
    .nth =
        { $count ->
            [1] каждый месяц в { $days }
            [one] раз в { $count } месяц в { $days }
            [few] раз в { $count } месяца в { $days }
           *[many] раз в { $count } месяцев в { $days }
        }
    .year =
        { $count ->
            [1] каждый год { $date }
            [one] раз в { $count } год { $date }
            [few] раз в { $count } года { $date }
           *[many] раз в { $count } лет { $date }
        }
    .workdays = по будням (с понедельника по пятницу)
    .last = в последний день каждого месяца
reminders-at = { $repeat } в { $time }
reminders-until = { $repeat }, до { $date }
reminders-times = { $repeat }, раз: { $count }
reminders-each_weekday =
    по понедельникам
    по вторникам
    по средам
    по четвергам
    по пятницам
    по субботам
    по воскресеньям
reminders-nth_weekday =
    { $nth ->
    [1] { $weekday ->
            [2] первую
            [4] первую
            [5] первую
            [6] первое
           *[other] первый
        }
    [2] { $weekday ->
            [2] вторую
            [4] вторую
            [5] вторую
            [6] второе
           *[other] второй
        }
    [3] { $weekday ->
            [2] третью
            [4] третью
            [5] третью
            [6] третье
           *[other] третий
        }
    [4] { $weekday ->
            [2] четвёртую
            [4] четвёртую
            [5] четвёртую
            [6] четвёртое
           *[other] четвёртый
        }
    [5] { $weekday ->
            [2] пятую
            [4] пятую
            [5] пятую
            [6] пятое
           *[other] пятый
        }
   *[-1] { $weekday ->
            [2] последнюю
            [4] последнюю
            [5] последнюю
            [6] последнее
           *[other] последний
        }
    } { $weekday ->
        [0] понедельник
        [1] вторник
        [2] среду
        [3] четверг
        [4] пятницу
        [5] субботу
       *[6] воскресенье
    }
reminders-day_and_month = { $day } { $month }

## lists: $list — название списка, $items — о чём речь, $count — сколько там осталось.

lists-names =
    .shopping = Список покупок
    .todo = Список дел
    .packing = Список вещей
lists-added = { $list }: добавлено — { $items }. Осталось: { $count }.
lists-known = { $list }: уже есть — { $items }. Осталось: { $count }.
lists-full = { $list }: больше { $count } записей не поместится. Сначала вычеркните что-нибудь.
lists-done = { $list }: ✓ { $items }. Осталось: { $count }.
lists-removed = { $list }: вычеркнуто — { $items }. Осталось: { $count }.
lists-opened = { $list }: снова в списке — { $items }. Осталось: { $count }.
lists-head = { $list } ({ $count }):
lists-closed_head = { $list }, уже вычеркнуто:
lists-nothing_open = { $list }: ничего не осталось.
lists-nothing_closed = { $list }: ничего не вычеркнуто.
lists-none = Списков пока нет. Скажите, например: добавь молоко в список покупок.
lists-which = Что именно?
lists-unclear = Что записать, а что вычеркнуть? Скажите, например: добавь пиво и вычеркни хлеб.
lists-is_open = { $items } — ещё в списке ({ $list }): { $name }, { $when }.
lists-is_done = { $items } — сделано ({ $list }): { $name }, { $when }.
lists-is_removed = { $items } — вычеркнуто ({ $list }): { $name }, { $when }.
lists-somebody = кто-то
lists-not_there = { $items } — в списке нет ({ $list }).
lists-tick_button = ✓ { $item }
lists-open_button = ↺ { $item }
lists-closed_button = Вычеркнуто: { $count }
lists-back_button = Что осталось
lists-missing = Записи { $number } здесь нет.
lists-usage =
    /list: что осталось
    /list НАЗВАНИЕ: один список
    /list add НАЗВАНИЕ: молоко, яйца
    /list done НОМЕР, /list drop НОМЕР, /list back НОМЕР
    /list closed НАЗВАНИЕ: что вычеркнуто

## forget

forget-usage =
    Что забыть?

    - /forget СЛОВА — найду и покажу, что подходит
    - /forget НОМЕР — одно воспоминание (см. /memory)
    - /forget всё — всё, что я знаю в этом чате
forget-none_found = По словам «{ $search }» ничего нет, забывать нечего; это сообщение я тоже не запоминаю.
forget-candidates = Вот что нашлось по словам «{ $search }». Что из этого забыть?
forget-this_one = Забыть { $number }
forget-all_of_them = Всё перечисленное
forget-which = Пока ничего не забыто. Что именно? Назовите номер, «второе», «всё» или «нет».
forget-left = Хорошо, ничего не забыто.
forget-more = Есть и ещё; уточните другими словами.
forget-missing = В памяти этого чата нет: { $ref }.
forget-confirm_everything = Будет стёрто всё, что я знаю в этом чате: все разговоры, все воспоминания и долговременная память. Вернуть это нельзя. Если уверены: /forget всё да
forget-confirm_button = Да, забыть всё
forget-done = Забыто.
forget-done_everything = Всё из этого чата забыто. Его настройки остаются (/settings).
forget-not_yours = Всё, что помнит эта группа, могут удалить только её администраторы и мой владелец. Сказанное вами можно забыть: `/forget СЛОВА`.
forget-replied_to_nothing = От сообщения, на которое вы отвечаете, у меня ничего не сохранено, забывать нечего.
forget-spared = Сказано другими и осталось: { $count }. Это могут удалить администраторы группы и мой владелец.
forget-files = Присланные файлы и страницы: { $count }
forget-exchanges = Удалено реплик разговора: { $count }
forget-items = Удалено воспоминаний: { $count }
forget-beside = Сообщения удаляются целиком. Удалено и другое, о чём в них говорилось: { $count }
forget-rest = Остальное из сообщения осталось: { $text }
forget-answers = Стёрто поздних ответов, где это повторялось: { $count }
forget-documents = Документов долговременной памяти: { $count }
forget-pending = Долговременная память получила просьбу удалить своё, но ещё не подтвердила; я буду напоминать, пока не подтвердит.
forget-confirmed = Долговременная память подтвердила удаление.
forget-verified = Проверено: поиск больше ничего не находит.
forget-residue = Проверено: кое-что ещё осталось, я продолжаю удалять: { $count }
forget-everything_words =
    всё
    все
forget-yes_words =
    да
forget-withheld = Долговременная память свою часть уже не показывает и удалит её после этого срока.
forget-undoable = Через { $seconds } с этого не будет ни в одном файле. До тех пор вернуть можно командой /undo.
forget-undo_button = Вернуть
forget-undone = Всё вернулось.
forget-back_exchanges = Реплик разговора: { $count }
forget-back_items = Воспоминаний: { $count }
forget-back_files = Файлов и страниц: { $count }
forget-back_answers = Очищенных ответов и цитат: { $count }
forget-back_reminders = Напоминаний: { $count }
forget-taken_back = Беру назад и забываю: { $text }
forget-taken_back_before = Это было перед тем:
forget-taken_back_already = Это уже отменено.
forget-nothing_done = Отменять здесь нечего: вашего ничего нет.
forget-nothing_to_undo = Возвращать нечего: забытого уже нет.
forget-lapsed = То, что вы велели забыть последним, стёрто окончательно: вернуть это уже нельзя. Больше ничего не изменено.

## why

why-nothing_answered = Здесь ещё не было ответа, который я мог бы объяснить.
why-question = Вы спросили: { $text }
why-forwarded = Вы переслали от { $name }: { $text }
why-no_memories = Этот ответ не опирался на воспоминания.
why-head = Ответ основан на воспоминаниях: { $count }
why-more = И ещё: { $count }
why-channels =
    .item = из моих заметок
    .store = из хранилища (сказано дословно)
    .digest = кратко, из сказанного
    .document = из документа
    .lightrag-chunk = из LightRAG (текст)
    .lightrag-entity = из LightRAG (что известно об имени)
    .lightrag-relation = из LightRAG (как одно связано с другим)
why-reasons =
    .then = сказано в то время, о котором вы спросили
    .about = речь о: { $whom }
    .same-words = те же слова
    .some-words = часть тех же слов
    .meaning = почти то же по смыслу
    .speaker = сказал тот, о ком вы спросили
    .pinned = закреплено
    .long-term-memory = LightRAG согласен
    .nearest = самое близкое из того, что я знаю
why-figures = числа
why-signals =
    .words = слова
    .near-words = близкие слова
    .meaning = смысл
    .speaker = кто говорил
    .date = дата
    .certainty = уверенность
    .recent = недавнее
    .importance = важность
    .long-term-memory = LightRAG согласен
    .rank = место в LightRAG
    .second-look = повторный отбор
    .pinned = закреплено
    .kind-of-message = вид сообщения
why-exchange = обмен { $uid }
why-strength = совпадение { $score }
why-notes = Замечания к этому ответу:

## skill

skill-head = Навыки:
skill-none = Навыков нет. Положите навык в preferences/skills/ИМЯ/SKILL.md.
    .user = Навыки не установлены.
skill-active = включён
skill-on = Навык { $name } включён на этот разговор. Выключить: /skill off
skill-off = Сейчас ни один навык не включён.
skill-unknown = Навыка { $name } нет.

## exporting

exporting-ready =
    Всё, что я храню об этом чате. Сообщений: { $turns }, воспоминаний: { $items }, { $size } МБ.

    README.md внутри говорит, что где лежит; если прислать файл обратно с /import, он будет прочитан снова.
exporting-written = Файл: `{ $path }`
exporting-nothing = Об этом чате пока ничего не сохранено.
exporting-too_large = В экспорте { $size } МБ, это больше, чем я могу отправить сюда ({ $limit } МБ). В терминале: `mneme export --scope { $scope }`
exporting-confirm = Все в этой группе смогут открыть файл со всем, что я храню о группе. Отправить?
exporting-confirm_button = Отправить сюда
exporting-owner_only = Общую память нескольких людей экспортирует мой владелец, память группы — и её администраторы.
exporting-private = В этой группе я пользуюсь вашей личной памятью. Попросите её экспорт в нашем личном чате.

## importing

importing-usage = Пришлите мне экспорт переписки файлом с подписью /import: result.json из Telegram Desktop, чат WhatsApp, conversations.json из ChatGPT или Claude, канал Discord (DiscordChatExporter), message_1.json из Messenger или Instagram, рабочее пространство Slack, мой собственный экспорт или zip, в котором они пришли.
importing-usage_terminal = Назовите файл: `/import ФАЙЛ`
importing-survey = { $format }, сообщений: { $messages }, чатов: { $chats }, с { $first } по { $last }.
importing-archive = Воспоминаний: { $items }.
importing-left_out = Не войдёт: { $what }: { $count }
importing-reasons =
    .SERVICE = служебные сообщения (вступил, звонок, закреплено …)
    .PICTURE = изображения без подписи
    .VIDEO = видео без подписи
    .VOICE = голосовые сообщения и музыка
    .STICKER = стикеры
    .FILE = файлы без подписи
    .NO_TEXT = другие сообщения без слов
    .VERSION = заменённые версии сообщений
    .HIDDEN = скрытые сообщения и вызовы инструментов
    .NO_AUTHOR = сообщения без автора
    .NO_DATE = сообщения без даты
    .TOO_LONG = сообщения длиннее 1 000 000 знаков
    .NOT_YOURS = воспоминания других людей
importing-more_people = … и другие: { $count }
importing-who = Кто из них вы? Ваши слова станут вашими и здесь, чужие останутся чужими.
importing-nobody_button = Никто из них
importing-you = Вы: { $name }.
importing-own_export = Этот файл написал я сам: всё вернётся, как было.
importing-tokens = Долговременная память даст прочитать своей языковой модели примерно { $tokens } токенов из этого.
importing-tokens_priced = Долговременная память даст прочитать своей языковой модели примерно { $tokens } токенов из этого: около { $money }, не считая того, что модель напишет.
importing-start = Пока ничего не сохранено. Импортировать?
importing-start_button = Импортировать
importing-cancel_button = Отменить
importing-begun = Я начал импорт «{ $name }» и продолжаю отвечать. /import скажет, сколько сделано.
importing-progress = «{ $name }»: { $done } из { $total } ({ $share } %)
importing-done = «{ $name }» импортирован. Новых: { $added }, уже были: { $known }.
importing-forgotten = Забыты раньше намеренно и такими остались: { $count }.
importing-refused = Это нельзя импортировать: { $reason }
importing-cancelled = Импорт «{ $name }» отменён. Пришедшее до этого остаётся: { $added }.
importing-gone = Этот импорт закончен или не начинался.
importing-none = Сейчас ничего не импортируется.
importing-busy = Здесь уже идёт импорт. /import скажет, сколько сделано.
importing-too_large = Файл больше, чем мне можно получить здесь ({ $limit } МБ). Положите его на машину, где я работаю, и импортируйте в терминале: `mneme import ФАЙЛ`
importing-not_fetched = Файл не удалось получить. Пришлите его, пожалуйста, ещё раз.
importing-owner_only = В общую память нескольких людей импортирует мой владелец, в память группы — и её администраторы.
importing-memory_off = Память выключена: ничего нельзя перенести.

## abilities

abilities-year = Сейчас { $year } год.
abilities-week = Идёт { $week }-я неделя года: { $weekday }, { $day }.
abilities-time = Сейчас { $time }, { $weekday }, { $day } года.
abilities-today = Сегодня { $weekday }, { $day } года.
abilities-day = Это { $weekday }: { $day } года.
abilities-until =
    { $count ->
        [1] Остался один день: { $weekday }, { $day } года.
        [one] Остался { $count } день: { $weekday }, { $day } года.
        [few] Осталось { $count } дня: { $weekday }, { $day } года.
       *[many] Осталось { $count } дней: { $weekday }, { $day } года.
    }
abilities-weeks = В неделях: { $weeks }, и дней: { $days }.
abilities-since =
    { $count ->
        [1] Это было вчера: { $weekday }, { $day } года.
        [one] Это было { $count } день назад: { $weekday }, { $day } года.
        [few] Это было { $count } дня назад: { $weekday }, { $day } года.
       *[many] Это было { $count } дней назад: { $weekday }, { $day } года.
    }
abilities-between =
    { $count ->
        [one] { $count } день: с { $day } года до { $then } года.
        [few] { $count } дня: с { $day } года до { $then } года.
       *[many] { $count } дней: с { $day } года до { $then } года.
    }
abilities-sum = { $sum } = { $result }
abilities-rounded = { $sum } ≈ { $result }
abilities-by_zero = { $sum }: на ноль делить нельзя.

## operator

operator-needs_a_hand = Этой Mneme нужна помощь: { $what }
operator-solved = Исправлено: { $what }
operator-dead_letters = долговременная память не смогла принять: { $count }. `mneme dead-letters` покажет причины, `mneme dead-letters --revive` попробует ещё раз

## costs

costs-head = Сколько израсходовал этот чат
costs-none = В этом месяце языковую модель для этого чата не спрашивали.
costs-today = Сегодня
costs-month = В этом месяце
costs-line = { $what }: прочитано токенов { $prompt }{ $cached }, написано { $completion }, вызовов { $calls }{ $money }
costs-cached = { " " }(из них из кэша сервера { $share } %)
costs-by_model = По моделям, в этом месяце
costs-by_kind = По назначению, в этом месяце
costs-unknown_model = (не названа)
costs-kinds =
    .answer = ответы
    .summary = краткие изложения длинных разговоров
    .learning = обучение на разговорах
    .search = разбор вопросов
    .check = проверка ответов
costs-unpriced = У этих моделей нет цены, поэтому их токены не входят ни в одну сумму: { $models } (costs.prices)
costs-budgets =
    .chat-day = бюджет этого чата на сегодня
    .chat-month = бюджет этого чата на этот месяц
    .total-day = бюджет всех чатов на сегодня
    .total-month = бюджет всех чатов на этот месяц
costs-budget_line = Израсходовано, { $budget }: { $spent } из { $limit } ({ $share } %)
costs-tokens = токенов: { $count }
costs-warned = ({ $budget }: израсходовано { $share } %, { $spent } из { $limit }. Увеличить: { $setting }.)
    .user = ({ $budget }: израсходовано { $share } %, { $spent } из { $limit }. Увеличить может мой владелец.)
costs-stopped = ({ $budget }: израсходован, поэтому я отвечаю только по памяти. Увеличить: { $setting }.)
    .user = ({ $budget }: израсходован, поэтому я отвечаю только по памяти. Увеличить может мой владелец.)
costs-operator_warned = { $budget }: осталось мало ({ $setting })
costs-operator_stopped = { $budget }: израсходован, все получают ответы только по памяти ({ $setting })
costs-all_head = Сколько израсходовали все чаты в этом месяце
costs-all_line = { $scope }: токенов { $tokens }, вызовов { $calls }{ $money }
costs-erased = забытые чаты
costs-together = вместе
costs-owner_only = Расход всех чатов видит только мой владелец, в нашем личном чате.
costs-status = Расходы: сегодня { $today }, в этом месяце { $month } (/usage)
costs-utc = Дни и месяцы считаются по UTC.

## sessions

sessions-titled = Он называется { $title }.
sessions-head = Разговоры этого чата
sessions-none = Разговоров здесь ещё нет. То, что я помню, – в /memory.
sessions-line = { $number }. { $title } – { $begun }, сообщений: { $count }
sessions-current = (сейчас)
sessions-untitled = (без слов)
sessions-hint = Номер возвращает нас в этот разговор.
sessions-opened = Мы снова в разговоре { $title } (последнее: { $active }, сообщений: { $count }). Я снова знаю, что там говорилось.
sessions-already = Мы и так в этом разговоре.
sessions-missing = Такого разговора больше нет.
sessions-compacted = Сообщений, вместо которых теперь краткое изложение: { $count }. Последние { $staying } остаются дословно. Ничего не удалено.
sessions-too_short = Этот разговор слишком короткий, чтобы его излагать: он остаётся как есть.
sessions-no_model = Для краткого изложения нужна языковая модель, а она не настроена. Ничего не теряется: в длинном разговоре я сам опускаю самое старое и нахожу его, когда вы спросите.
sessions-not_compacted = Языковая модель не дала краткого изложения. Разговор остаётся как есть.
sessions-no_budget = От бюджета осталось мало, и он бережётся для ответов, поэтому разговор остаётся как есть (/usage).

## settings

settings-zones =
    Europe/Moscow
    Asia/Yekaterinburg
    Asia/Novosibirsk
    Asia/Almaty
settings-head = Настройки этого чата
settings-titles =
    .language = Язык
    .memory = Память
    .streaming = Ответ по ходу
    .quiet = Тихие часы
    .zone = Часовой пояс
    .scope = Чья память
settings-about =
    .language = Язык моих собственных слов здесь: уведомления, кнопки, меню.
    .memory = Выключена: то, что здесь говорят с этого момента, не сохраняется, не ищется и ничему меня не учит; я знаю это до конца разговора. То, что я помню, остаётся как есть и вернётся, когда память включат.
    .streaming = Включено: ответ виден, пока он пишется. Выключено: он приходит целиком.
    .quiet = В это время я не присылаю ничего, о чём вы только что не просили; оно придёт потом.
    .zone = Даты и время называются в этом поясе, по нему же идут тихие часы и напоминания.
    .scope = Какую память я здесь читаю и пишу. Другой выбор ничего не переносит: каждая память остаётся на месте.
settings-on = включено
settings-off = выключено
settings-default = Как задал владелец бота
settings-as_set = { $value } (как задал владелец бота)
settings-by_client = как в вашем приложении
settings-no_quiet = нет
settings-machine_zone = как на сервере
settings-scopes =
    .user = ваша
    .chat = этого чата
    .topic = своя у каждой темы
    .shared = общая для нескольких чатов
settings-scope_changed =
    .user = Теперь я пользуюсь здесь вашей собственной памятью. То, что хранит память чата, остаётся в ней.
    .chat = Теперь у всего чата одна собственная память. То, что запомнено в других местах, остаётся там и здесь не ищется.
    .topic = Теперь у каждой темы своя память, и ни одна не знает, что говорят в других. То, что хранит память чата, остаётся в ней и в темах не ищется.
settings-memory_off = Память здесь выключена: из сказанного с этого момента я ничего не сохраняю, кроме напоминаний и списков, о которых попросят. То, что я помню, остаётся; стирает /forget.
settings-memory_on = Память здесь включена.
settings-memory_off_for_all = Владелец бота выключил память для всех, поэтому и здесь она остаётся выключенной.
settings-not_kept = Память здесь выключена, поэтому я ничего из этого не сохраняю (/settings memory).
settings-back = ‹ Назад
settings-saved = { $title } – теперь: { $value }
settings-admins_only = Настройки этой группы меняют только её администраторы, которым можно говорить со мной, и мой владелец.
settings-owner_only = Настройки бота видит только его владелец.
settings-not_here = Настройки бота я называю только в нашем личном чате.
settings-settled = Чья память здесь используется, определил владелец бота.
settings-unknown = Такой настройки я не знаю. Есть: /settings language, memory, streaming, quiet, zone, scope – со значением или без него.
settings-bad_language = Я говорю на языках: { $languages }. С auto – как в вашем приложении.
settings-bad_switch = Можно on, off или default.
settings-bad_quiet = Тихие часы пишутся так: /settings quiet 22:00-07:30 или /settings quiet off
settings-bad_zone = Часового пояса { $zone } я не знаю. Пишите так: `/settings zone Europe/Berlin`.
settings-similar_zones = Возможно, один из этих: { $zones }
settings-zone_saved = Сейчас там { $time }.
settings-type_zone = Любой другой: /settings zone Europe/Berlin
settings-type_quiet = Другие: /settings quiet 22:00-07:30
settings-bot_button = Настройки бота
settings-bot_head = Настройки бота, отличные от значений по умолчанию
settings-bot_where = Меняются они в файле { $file }, и большинство действует сразу; все перечислены в docs/configuration.md.
settings-bot_defaults = Все настройки имеют значения по умолчанию.
settings-bot_secret = (задано, не показывается)
settings-bot_problem = Внимание: в этом файле ошибка, поэтому действует последняя исправная версия. { $problem }

## web

web-ask_fetch =
    Прочитать эту страницу? Её адрес уйдёт с этой машины, и выбрала его модель:

    { $url }
web-agree_fetch = Прочитать

## media

media-nobody_listens = Я не могу слушать записи: распознавание речи не настроено (`voice.url`). Напишите, пожалуйста, словами.
    .user = Я не могу слушать записи. Напишите, пожалуйста, словами.
media-too_long = Запись длиннее { $minutes } минут, больше я не слушаю.
media-too_large = Запись слишком большая, я не могу её получить.
media-not_fetched = Не удалось получить запись; пришлите её, пожалуйста, ещё раз.
media-not_heard = Не удалось прослушать запись: { $reason }.
    .user = Сейчас не удалось прослушать запись. Попробуйте, пожалуйста, позже.
media-silent = В записи не слышно слов.
media-heard = Услышано: { $text }
media-nobody_sees = Я не вижу картинок (llm.url, llm.vision) и не знаю, что на ней. Расскажите словами, что важно.
media-picture_too_large = Картинка больше { $most } МБ, такие я не смотрю.
media-picture_unknown = Картинки такого формата я смотреть не могу; могу JPEG, PNG, WebP и GIF.
media-picture_not_fetched = Не удалось получить картинку; пришлите её, пожалуйста, ещё раз.
media-not_seen = Модель не видит картинок: я прочёл ваши слова, но не видел картинку.

## page

page-skip = К содержанию
page-switch = Другая память
page-leave = Закрыть
page-nav = Разделы памяти
page-back = Назад
page-go_on = Дальше
page-choose_title = Чья память?
page-choose_lead = У каждого чата своя память. Выберите одну.
page-scope_counts = Реплик: { $exchanges }, воспоминаний: { $items }
page-nothing_yet = Здесь пока ничего не запомнено. Напишите ассистенту: то, что вы ему расскажете, появится здесь. /import в чате перенесёт разговоры из других программ.
page-open_turn = открыть эту реплику
page-more_text = Показать остальное
page-pinned = закреплено
page-replaced = заменено
page-because = Найдено благодаря:
page-fits =
    подходит очень хорошо
    подходит хорошо
    возможно, подходит
page-pages = Страницы
page-newer = Новее
page-older = Старее
page-search_label = Искать в этой памяти
page-search_hint = Спросите или найдите …
page-search = Найти
page-by_month = К месяцу
page-learned = Запомнено отсюда
page-named = Упомянуто здесь
page-based_on = На чём основан ответ
page-trace_gone = Это не сохранено (или уже удалено).
page-forget_turn = Забыть эту реплику …
page-filter_label = Слова из воспоминаний
page-filter_hint = Отбор по словам …
page-kinds_label = Виды воспоминаний
page-results = Показано здесь: { $count }
page-all_kinds = Все
page-wishes = Пожелания
page-pinned_ones = Закреплённые
page-history = Заменённые
page-kind = Вид
page-said_by = Кто сказал
page-said_at = Когда
page-source = Откуда
page-certainty = Насколько верно
page-used = Использовано
page-used_times = в запросах: { $uses }, сказано снова: { $restated }
page-add = Добавить воспоминание
page-add_label = Что запомнить, отдельным предложением
page-forget_chosen = Забыть выбранное …
page-choose_item = Выбрать воспоминание { $id }
page-edit_label = Как должно быть
page-save = Сохранить
page-pin = Закрепить
page-unpin = Открепить
page-forget = Забыть …
page-replaced_by = Заменено на
page-before = До этого
page-where_said = Где это сказано
page-memory_title = Воспоминание { $id }
page-turn_title = Реплика от { $moment }
page-forget_title = Забыть это?
page-forget_lead = Это исчезнет из всех файлов вместе со всем, что из этого выведено:
page-and_more = И ещё: { $count }
page-forget_yes = Забыть
page-keep = Оставить
page-forgot_title = Забыто
page-undo_within = Это можно отменить в течение { $seconds } секунд.
page-undone_title = Отменено
page-by_time = по времени
page-none_found = Ничего не найдено.
page-search_lead = Поиск идёт по всему сказанному, запомненному и проиндексированному, как для ответа; у каждой находки указано, почему она найдена.
page-forgotten_lead = Квитанции о том, что здесь стёрто: когда и сколько, без единого слова оттуда.
page-what = Что
page-turns = Реплик
page-items = Воспоминаний
page-answers = Ответов
page-documents = Документов
page-everything = всё
page-one_memory = отдельные воспоминания
page-nothing_forgotten = Здесь ничего не забывали.
page-saved = Сохранено.
page-saved_masked = Сохранено без того, что похоже на секрет: { $kinds }.
page-was_pinned = Закреплено: теперь это есть в каждом запросе.
page-was_unpinned = Больше не закреплено.
page-entered = Открыто
page-closed_title = Закрыто
page-closed = Страница закрыта. mneme page или /page в чате откроет её снова.
page-link_title = Эта ссылка ничего (больше) не открывает
page-link_spent = Каждая ссылка открывает страницу один раз, в течение нескольких минут. mneme page или /page в чате создаст новую.
page-missing_title = Здесь ничего нет
page-missing = Это забыто, или этого не было.
page-changed_title = Память тем временем изменилась
page-changed = Ничего не сделано. Посмотрите ещё раз, пожалуйста.
page-failed_title = Не получилось
page-failed = Память сейчас недоступна. Попробуйте позже, пожалуйста.
page-too_large = Это больше, чем принимает эта форма. Ничего не изменено.
page-people_lead = Кого и что называют сообщения и кого называют вместе.
page-name_search = Найти имя
page-map_label = Карта имён
page-map_explains = Имена из одних и тех же сообщений соединены: чем шире линия, тем чаще. Чем больше знак, тем чаще его называют. Каждый ведёт на свою страницу.
page-legend = Обозначения
page-all_names = Все имена: { $count }
page-named_times = сообщений: { $count }
page-last_named = последний раз { $day }
page-nobody_yet = Здесь пока никого и ничего не называли.
page-named_in_messages = Сообщений с этим именем
page-first_named = Впервые
page-newest_named = Последний раз
page-known_about = Что известно
page-nothing_known = Ни одно воспоминание не содержит этого имени.
page-named_together = Называют вместе с
page-files_removed = Присланных документов: { $count }
page-indexed = В индексе
page-document_size = разделов: { $sections }, знаков: { $characters }
page-export = Забрать всё одним файлом
page-no_documents = Сюда ещё не присылали документов.
page-outline = Разделы
page-page_number = страница { $page }
page-previous = Раньше
page-next = Далее
page-costs_lead = Токены по счёту серверов языковых моделей и их стоимость там, где цена известна. Дни по UTC.
page-by_month_and_model = По месяцам и моделям
page-by_day = По дням
page-month_head = Месяц
page-model = Модель
page-unnamed_model = без имени
page-day_head = День
page-read_tokens = Прочитано
page-cached_tokens = из них из кэша
page-written_tokens = Написано
page-calls = Вызовов
page-money = Деньги
page-together = За последние двенадцать месяцев (прочитано / написано)
page-no_costs = Здесь ещё не обращались к языковой модели.
page-quiet_from = С
page-quiet_to = До
page-app_title = Ваша память
page-app_lead = Откройте эту страницу из меню бота в Telegram.
page-app_script = Этой странице нужен JavaScript, чтобы узнать от Telegram, кто вы.
page-app_refused = Не могу вас впустить. Если вам можно писать боту, закройте страницу и откройте снова.
page-menu_button = Память
page-link = Ваша страница памяти на машине, где я работаю, один раз в течение { $minutes } минут: { $link }
page-by_menu = Ваша страница памяти открывается кнопкой меню рядом с полем ввода.
page-not_here = Страница показывает память одного человека: попросите о ней в нашем личном чате.
page-not_yours = Для вас здесь страницы нет: оператор может задать page.publicUrl.
page-off = Страница выключена (page.enabled).
page-terminal = Терминал
page-direct = Личный чат с { $name }
page-group = Группа { $id }
page-topic = Тема { $topic } группы { $id }
page-shared = Общая память «{ $name }»
page-tabs =
    .timeline = Лента
    .people = Люди
    .memories = Воспоминания
    .search = Поиск
    .reminders = Напоминания
    .lists = Списки
    .documents = Документы
    .forgotten = Забытое
    .costs = Расходы
    .settings = Настройки
page-kinds =
    .decision = решение
    .constraint = правило
    .failure = неудача
    .fix = исправление
    .preference = предпочтение
    .project_fact = факт
    .task_state = задача
    .command_result = результат
page-name_kinds =
    .person = человек
    .place = место
    .organisation = организация
    .thing = предмет
    .name = имя
page-origins =
    .forwarded = переслано
    .quoted = цитата
    .file = файл
    .tool = инструмент
