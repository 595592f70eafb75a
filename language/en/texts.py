"""The bot's own texts in English."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from language.en.answer_phrases import ANSWER_PHRASES, DAY, MONTHS, WEEKDAYS
from language.en.call_texts import CALLS
from language.en.chat_texts import CHAT
from language.en.costs_texts import COSTS
from language.en.document_texts import DOCUMENTS
from language.en.file_texts import FILES
from language.en.media_texts import MEDIA
from language.en.memory_view_texts import MEMORY_VIEWS
from language.en.page_texts import PAGE_TEXTS
from language.en.porting_texts import EXPORTING, IMPORTING
from language.en.reminder_texts import REMINDER_TEXTS
from language.en.session_texts import SESSIONS
from language.en.settings_texts import SETTINGS
from language.en.users_texts import USERS
from language.en.web_texts import WEB
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

TEXTS: Final = Texts(
    dates=Dates(
        months=MONTHS,
        weekdays=WEEKDAYS,
        day=DAY,
        weekday="{weekday}, {day}",
        moment="{day}, {time}",
    ),
    service=ServiceTexts(
        stranger=(
            "This assistant is private. Ask its owner for a pairing code and send me: /pair CODE\nYour id is {id}."
        ),
        wrong_code="That code is not valid (any more). Ask the owner for a new one.",
        group_not_listed="This group is not on my list. Its id, for the configuration: {id}",
        group_joined=(
            "Hello! I do not work in this group yet. To let me, add {id} to telegram.allowedChats in the configuration."
        ),
        group_served="Hello! I answer here when you mention me, reply to me or use a command: /help",
        anonymous_admin=(
            "You write as the group, so I cannot tell who you are. Write as yourself, or add {id} to "
            "telegram.allowedUsers to let anonymous admins in."
        ),
        button_refused="This button is not for you.",
        button_not_yours="Only the one who asked can press this.",
        button_expired="This button has expired.",
        button_changed="Memory has changed since I asked. Ask me again.",
        button_not_now="My memory cannot be reached right now. Please try again later.",
    ),
    notice=NoticeTexts(
        failed="Sorry, something went wrong on my side, so I could not answer that. Please try again.",
        poisoned="Sorry, I failed at this message several times and have set it aside. The operator can look into it.",
        unsupported="I cannot read {what}, so I have kept nothing of it. Tell me in words what matters in it.",
        unread="I cannot read {what}: I have seen your words, not what came with them.",
        edited="I have noted the change.",
        attachments=MappingProxyType(
            {
                "photo": "photos",
                "document": "documents",
                "voice": "voice messages",
                "audio": "audio files",
                "video": "videos",
                "video_note": "video messages",
                "animation": "animations",
                "sticker": "stickers",
                "contact": "contacts",
                "location": "locations",
                "poll": "polls",
            }
        ),
        attachment_other="this kind of message",
        memory_paused=(
            "Note: my memory cannot be written right now, so I will not remember what we say until that is mended. "
            "I still answer."
        ),
        memory_refused=(
            "Note: the long-term memory server belongs to another chat, so this chat's is kept back until that is "
            "changed. What we say is remembered here all the same."
        ),
        command_failed="Sorry, that did not work: my memory cannot be reached right now. Please try again later.",
        not_borne_out="(Careful: what I remember does not bear this out.)",
    ),
    answers=ANSWER_PHRASES,
    documents=DOCUMENTS,
    files=FILES,
    page=PAGE_TEXTS,
    chat=CHAT,
    loop=LoopTexts(
        stopped="(stopped)",
        out_of_time="I stopped here: this took longer than {seconds} seconds (llm.wallSeconds).",
        out_of_calls="I stopped here: this needed more steps than I may take for one message (llm.maxCalls).",
        failed="I could not ask the language model: {reason}",
        broke_off="The answer broke off here: {reason}",
        empty="The language model gave no answer. Please put it another way, or ask again.",
        cut_short="The answer was cut at its length limit (llm.maxTokens). Say “go on” for the rest.",
        ask="I have read what others wrote here, so I keep nothing without your word. Remember exactly this? {text}",
        agree="Remember",
        ask_forget="I forget nothing without your word. Forget exactly this? {text}",
        agree_forget="Forget",
    ),
    basic=BasicTexts(
        start=(
            "Hello{name}! I am Mneme, an assistant that remembers.\n\n"
            "Tell me things as they come, and ask me about them days or months later. I keep them in this chat's own "
            "memory, show you why I remembered something (/why), and forget what you want forgotten (/forget).\n\n"
            "All commands: /help"
        ),
        start_without_model=(
            "No language model is configured, so I answer with what you told me. To add one, set llm.url and llm.model "
            "in preferences/runtime-config.json (and LLM_API_KEY if it needs a key)."
        ),
        help_head="What I can do:",
        help_tail="Everything else you write is a conversation, and I remember it.",
        commands=MappingProxyType(
            {
                "start": "who I am",
                "help": "this list",
                "new": "start a fresh conversation; memories stay",
                "stop": "stop the answer that is being written",
                "status": "health, what I remember, what is waiting",
                "memory": "browse, search, edit and pin memories",
                "remember": "remember exactly this text",
                "forget": "forget one thing, a search, or everything",
                "undo": "take back what was just forgotten or edited",
                "why": "what the last answer was based on",
                "docs": "documents that I have read",
                "ask": "ask one document: /ask NAME question",
                "skill": "switch a skill on or off",
                "settings": "language, memory, quiet hours and more, for this chat",
                "sessions": "conversations of this chat, and the way back into one",
                "compact": "let a summary stand for the older part of this conversation",
                "page": "your memory on a page in the browser",
                "export": "take all of this chat along as a file",
                "import": "bring conversations along from a file",
                "usage": "tokens and costs of this chat",
                "remind": "set a reminder: /remind tomorrow at 9 call Vera",
                "reminders": "list, move and cancel reminders",
            }
        ),
        unknown_command="I do not know the command /{name}.",
        did_you_mean="Did you mean /{name}?",
        edited_command="An edited command is not carried out. Please send it as a new message.",
        new_session="A fresh start. This conversation is closed, and what I remember stays with me.",
        stopped="Stopped.",
        nothing_to_stop="There is nothing to stop: I am not writing anything at the moment.",
        waiting="Messages that still wait for an answer: {count}",
        drop_waiting="Drop them",
        dropped="Messages dropped unanswered: {count}",
    ),
    doubt=DoubtTexts(
        one="Your last answer may not have arrived.",
        many="Your last answers may not have arrived: {count}",
        show="Show again",
        nothing="There is nothing to show again: your answers have arrived, or are not kept any more.",
    ),
    users=USERS,
    status=StatusTexts(
        head="Status",
        model="Language model: {model}",
        no_model="No language model configured: answers come from memory alone.",
        window="window {tokens} tokens, {source}",
        window_sources=MappingProxyType(
            {"settings": "set", "server": "said by the server", "assumed": "assumed, the server does not say"}
        ),
        tokens_today="Tokens of this chat today: {prompt} read{cached}, {completion} written; "
        "{background} of them in the background ({share} %)",
        tokens_in_all="Tokens of this chat in all: {prompt} read{cached}, {completion} written; "
        "{background} of them in the background ({share} %)",
        tokens_cached=" ({share} % of them from the server's cache)",
        memory="Memories of this chat: {total}",
        memory_off="Memory is switched off (memory.enabled).",
        parts=MappingProxyType(
            {
                "config": "settings",
                "store": "store",
                "lightrag": "long-term memory (LightRAG)",
                "llm": "language model",
                "telegram": "Telegram",
                "memory": "memories",
                "tokens": "tokens",
                "outbox": "waiting for long-term memory",
                "deliveries": "deliveries",
                "imports": "imports",
                "backups": "back-ups",
            }
        ),
        reasons=MappingProxyType(
            {
                "switched off (rag.enabled)": "switched off (rag.enabled)",
                "none configured (llm.url); answers come from memory alone": "none configured (llm.url)",
                "no token (TELEGRAM_TOKEN); the terminal chat is used": "no token (TELEGRAM_TOKEN)",
                "the embedded memory server is starting": "is starting",
            }
        ),
        waiting="Waiting for long-term memory: {count}",
        dead="Given up by long-term memory: {count}; `mneme dead-letters --revive` tries them again",
        nothing_waiting="Long-term memory is up to date.",
        unknown_deliveries="Replies that may not have arrived: {count} (/again shows them)",
        refused_deliveries="Replies that could not be delivered: {count}",
        refused_import="The last import, {name}, was not done: {reason}",
        backups="Back-ups: {count}, the newest of {at}, {size} MB in all",
        no_backups="Back-ups: none yet; one is made every day.",
        states=MappingProxyType({"ok": "ok", "degraded": "degraded", "down": "down"}),
    ),
    memory=MemoryTexts(
        head="Memories of this chat: {total}",
        found="Memories with “{search}”: {total}",
        empty=(
            "I have no memories here yet. Tell me something, or use /remember. Whole conversations are kept beside "
            "these notes and are searched as well."
        ),
        none_found="No memory matches “{search}”. Conversations are searched when you simply ask me.",
        none_pinned="Nothing is pinned. /memory pin NUMBER keeps a memory in mind always.",
        none_in_history="No memory has been replaced by a newer one.",
        no_wishes="No standing wishes. Say how you want to be answered or called: “Always answer in metric units.”",
        wishes="Standing wishes:",
        more_wishes="… and {count} more: /memory wishes",
        page="Page {page} of {pages}",
        hint="Search, edit, pin and forget: /memory help",
        usage=(
            "- /memory – what is there, with buttons\n"
            "- /memory open NUMBER – one memory with its history\n"
            "- /memory show kinds · show people · show times\n"
            "- /memory WORDS – search\n"
            "- /memory page 2 – further ones\n"
            "- /memory wishes · /memory pinned · /memory history\n"
            "- /memory edit NUMBER new text · /memory edit NUMBER asks for it\n"
            "- /memory pin NUMBER · /memory unpin NUMBER\n"
            "- /memory forget NUMBER"
        ),
        pinned_mark="pinned",
        superseded_mark="replaced by {id}",
        edited="Memory {id} now says: {text}",
        corrected="Corrected: {text}\nBefore: {before}",
        what_holds="What holds instead of {text}? Say it in a word, or look at what you told me.",
        look="Look at it",
        pinned="Memory {id} is pinned: I always keep it in mind.",
        unpinned="Memory {id} is no longer pinned.",
        not_yours=(
            "Somebody else said that: admins of the group and my owner can change or forget it. "
            "You can tell me what holds now in your own words."
        ),
        missing="There is no memory {id} here.",
        sources=MappingProxyType(
            {
                "chat": "from conversation",
                "remember": "you asked me to remember it",
                "summary": "from a summary",
                "import": "imported",
                "edit": "edited",
            }
        ),
        assistant="assistant",
        forwarded="{name}, forwarded",
        you="you",
        another="another person",
        numbered="person {id}",
        forwarded_by="{name}, forwarded by {by}",
    ),
    memory_views=MEMORY_VIEWS,
    reminders=REMINDER_TEXTS,
    calls=CALLS,
    remember=RememberTexts(
        done="Remembered, as number {id}: {text}",
        masked="I left out what looks like a secret ({kinds}): secrets do not belong in memory.",
        kinds=MappingProxyType(
            {
                "API key": "API key",
                "bot token": "bot token",
                "token": "token",
                "password": "password",
                "card number": "card number",
                "IBAN": "IBAN",
                "PIN": "PIN",
                "seed phrase": "seed phrase",
                "private key": "private key",
            }
        ),
        nothing_left=(
            "That looks like nothing but a secret ({kinds}), and secrets do not belong in memory. Nothing was kept."
        ),
        usage="What shall I remember? Write it behind the command: /remember Vera's birthday is on 3 May",
        quoted="{author} wrote: {text}",
        off="Memory is switched off (memory.enabled), so I cannot remember anything now.",
        too_long="That is too long for one memory: {length} characters, at most {limit}. Tell it in parts.",
        too_late="This question is not open any more. To remember something, send /remember with the text.",
    ),
    forget=ForgetTexts(
        usage=(
            "What shall I forget?\n\n"
            "- /forget WORDS – searches and shows what fits\n"
            "- /forget NUMBER – one memory (see /memory)\n"
            "- /forget everything – all that I know in this chat"
        ),
        none_found="I find nothing about “{search}”, so there is nothing to forget.",
        candidates="This is what I find about “{search}”. Which of it shall I forget?",
        this_one="Forget {number}",
        all_of_them="All of these",
        more="There is more; narrow it down with further words.",
        missing="There is no {ref} in this chat's memory.",
        confirm_everything=(
            "This erases everything I know in this chat: every conversation, every memory, long-term memory too. "
            "It cannot be undone. If you are sure: /forget everything yes"
        ),
        confirm_button="Yes, forget everything",
        done="Forgotten.",
        not_yours=(
            "Everything that this group remembers is forgotten by its admins and my owner alone. "
            "What you said yourself you can forget: `/forget WORDS`."
        ),
        spared=("Said by others, and left as it is: {count}. Admins of the group and my owner can forget it."),
        done_everything="Everything of this chat is forgotten. Its settings stay (/settings).",
        files="Files and pages that you sent: {count}",
        exchanges="Conversation turns removed: {count}",
        items="Memories removed: {count}",
        answers="Later answers that repeated it, blanked: {count}",
        documents="Documents of long-term memory: {count}",
        pending=(
            "Long-term memory has been asked to remove its part and has not confirmed yet; I keep asking until it has."
        ),
        confirmed="Long-term memory has confirmed the removal.",
        verified="Checked: searching for it finds nothing any more.",
        residue="Checked: there is still something left, and I keep working on it: {count}",
        everything_words=("everything", "all"),
        yes_words=("yes",),
        withheld="Long-term memory shows its part no more, and removes it after that time.",
        undoable="Gone from every file in {seconds} seconds. Until then /undo brings it back.",
        undo_button="Undo",
        undone="It is back.",
        back_exchanges="Conversation turns: {count}",
        back_items="Memories: {count}",
        back_files="Files and pages: {count}",
        back_answers="Answers and quotations that had been blanked: {count}",
        back_reminders="Reminders: {count}",
        nothing_to_undo="There is nothing to take back (any more): what was forgotten is gone.",
    ),
    why=WhyTexts(
        nothing_answered="I have not answered anything here yet that I could explain.",
        question="You asked: {text}",
        forwarded="You forwarded from {name}: {text}",
        no_memories="That answer used no memories.",
        head="It was based on these memories: {count}",
        more="Further ones: {count}",
        channels=MappingProxyType(
            {
                "item": "from my notes",
                "store": "from the store (said word for word)",
                "digest": "in short, from what was said",
                "document": "from the document",
                "lightrag chunk": "from LightRAG (text)",
                "lightrag entity": "from LightRAG (what it knows about a name)",
                "lightrag relation": "from LightRAG (how two things relate)",
            }
        ),
        signals=MappingProxyType(
            {
                "words": "words",
                "near words": "related words",
                "meaning": "meaning",
                "speaker": "speaker",
                "date": "date",
                "certainty": "certainty",
                "recent": "recent",
                "importance": "importance",
                "long-term memory": "LightRAG agrees",
                "rank": "place in LightRAG",
                "second look": "second look",
                "pinned": "pinned",
                "kind of message": "kind of message",
            }
        ),
        exchange="exchange {uid}",
        strength="match {score}",
        notes="Notes on that answer:",
    ),
    skill=SkillTexts(
        head="Skills:",
        none="No skills are installed. Put one into preferences/skills/NAME/SKILL.md.",
        active="active",
        on="Skill {name} is on for this conversation. /skill off ends it.",
        off="No skill is active now.",
        unknown="There is no skill {name}.",
    ),
    exporting=EXPORTING,
    importing=IMPORTING,
    user=UserTexts(
        model_failed="I cannot reach my language model right now. Please try again later.",
        broke_off="The answer broke off here. Please ask again for the rest.",
        out_of_time="I stopped here: this took too long.",
        out_of_calls="I stopped here: this needed more steps than I may take for one message.",
        cut_short="The answer was cut at its length limit. Say “go on” for the rest.",
        no_model="(I answer from memory alone: I can repeat what I was told here, and not more.)",
        start_without_model="I answer with what you told me.",
        memory_off="Memory is switched off.",
        no_skills="No skills are installed.",
    ),
    operator=OperatorTexts(
        needs_a_hand="This Mneme needs a hand: {what}",
        solved="Solved: {what}",
        dead_letters=(
            "long-term memory gave up what it could not take in: {count}. `mneme dead-letters` lists it with reasons, "
            "`mneme dead-letters --revive` tries again"
        ),
    ),
    costs=COSTS,
    sessions=SESSIONS,
    settings=SETTINGS,
    web=WEB,
    media=MEDIA,
)
