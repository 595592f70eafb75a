### What the bot says, in English (Project Fluent: https://projectfluent.org). A comment stands above what it explains.

## dates: How dates are written; months begins with January, in the form used after a day, weekdays with Monday.

dates-months =
    January
    February
    March
    April
    May
    June
    July
    August
    September
    October
    November
    December
dates-weekdays =
    Monday
    Tuesday
    Wednesday
    Thursday
    Friday
    Saturday
    Sunday
dates-day = { $day } { $month } { $year }
# $weekday, and $day as above: where the day of the week matters.
dates-weekday = { $weekday }, { $day }
dates-moment = { $day }, { $time }

## service: To people who have no access (yet); $id is the reader's or the group's numeric id.

service-stranger =
    This assistant is private. Ask its owner for a pairing code and send me: /pair CODE
    Your id is { $id }.
service-wrong_code = That code is not valid (any more). Ask the owner for a new one.
service-group_not_listed = This group is not on my list. Its id, for the configuration: { $id }
service-group_joined = Hello! I do not work in this group yet. To let me, add { $id } to telegram.allowedChats in the configuration.
service-group_served = Hello! I answer here when you mention me, reply to me or use a command: /help
service-anonymous_admin = You write as the group, so I cannot tell who you are. Write as yourself, or add { $id } to telegram.allowedUsers to let anonymous admins in.
service-button_refused = This button is not for you.
service-button_not_yours = Only the one who asked can press this.
service-button_expired = This button has expired.
service-button_changed = Memory has changed since I asked. Ask me again.
service-button_not_now = My memory cannot be reached right now. Please try again later.

## notice: When something could not be done.

notice-failed = Sorry, something went wrong on my side, so I could not answer that. Please try again.
notice-poisoned = Sorry, I failed at this message several times and have set it aside. The operator can look into it.
notice-unsupported = I cannot read { $what }, so I have kept nothing of it. Tell me in words what matters in it.
notice-unread = I cannot read { $what }: I have seen your words, not what came with them.
notice-edited = I have noted the change.
notice-attachments =
    .photo = photos
    .document = documents
    .voice = voice messages
    .audio = audio files
    .video = videos
    .video_note = video messages
    .animation = animations
    .sticker = stickers
    .contact = contacts
    .location = locations
    .poll = polls
notice-attachment_other = this kind of message
notice-memory_paused = Note: my memory cannot be written right now, so I will not remember what we say until that is mended. I still answer.
# Told once to a chat whose long-term memory another chat's server does not take.
notice-memory_refused = Note: the long-term memory server belongs to another chat, so this chat's is kept back until that is changed. What we say is remembered here all the same.
notice-command_failed = Sorry, that did not work: my memory cannot be reached right now. Please try again later.
# Below an answer that the memories do not bear out.
notice-not_borne_out = (Careful: what I remember does not bear this out.)

## answers: The words around a remembered answer.

answers-greeting = Hello! Tell me something worth remembering, or ask me about what you told me.
answers-thanks = You are welcome!
answers-farewell = Goodbye! What you told me is safe with me.
# To "How are you?".
answers-wellbeing = I am well, thank you. Tell me how you are, and I will remember it.
# To "Who are you?" and "What can you do?".
answers-introduction = I am Mneme, an assistant that remembers. Tell me things as they come, and ask me about them days or months later. I remind you, tell the time and the date, and do sums. All commands: /help
answers-other_smalltalk = All right.
# $text: what was stated.
answers-noted = Noted, I will remember: { $text }
# $text: a standing wish, which only a language model can keep to.
answers-wish_noted = Noted as a standing wish, for the answers that a language model writes: { $text }
# For a statement that holds nothing definite.
answers-heard = I keep that as you wrote it, and find it again when you ask.
answers-secret_left_out = I left the secret out: passwords and keys do not belong in memory.
# A sentence of the asker's that can be told back as it is, or with "your" for "my". $date: one of today, yesterday,
# on_weekdays, on_date.
answers-told = { $text } (You told me { $date }.)
answers-told_undated = { $text }
# The asker's own words in the first person.
answers-told_quoted = You told me { $date }: “{ $text }”
answers-told_quoted_undated = You told me: “{ $text }”
# Above a list of such sentences: told on one day, or on several.
answers-told_these = You told me { $date }:
answers-told_these_undated = You told me:
# A line of a list.
answers-listed = { $text } ({ $date })
# To "What did I tell you yesterday?".
answers-told_nothing = Nothing: you told me nothing then.
# $count: sentences that are not shown, at the end of such a list.
answers-told_more = … and { $count } more before that.
# $day: one or several as in weekday_date, asked about in "what have I got on Monday?".
answers-nothing_then = I know of nothing { $day }.
# $time: of the clock, $text: of a reminder that comes on such a day.
answers-coming = Coming up:
answers-reminds = { $time }, a reminder: { $text }
# $count: sentences that are not shown, $words: whom or what they are about.
answers-more_about = … and { $count } more: /memory { $words }
answers-quoted = “{ $text }”
# $name, $date, $text: another person's words.
answers-said = { $name } said { $date }: “{ $text }”
answers-said_undated = { $name } said: “{ $text }”
# $name, $date, $text: what the asker, or another, passed on; $date is when they did.
answers-forwarded = Forwarded from { $name } { $date }: “{ $text }”
answers-forwarded_undated = Forwarded from { $name }: “{ $text }”
# $name: a forwarded message was kept; whoever wrote it, it is no word of the asker's.
answers-forward_noted = I keep this as forwarded from { $name }, not as your own word.
# The same where nobody is known to have written it: it was pasted.
answers-shown = Shown to me { $date }: “{ $text }”
answers-shown_undated = Shown to me: “{ $text }”
answers-shown_noted = I keep this as something shown to me, not as your own word.
# $date, $text: the assistant's own words.
answers-answered = I answered { $date }: “{ $text }”
answers-answered_undated = I answered: “{ $text }”
answers-imported_answer = Another assistant answered { $date }, in what you imported: “{ $text }”
# $text: from long-term memory, nobody known to have said it.
answers-found = In long-term memory I find: “{ $text }”
# $place, $text: a sentence of a document, and where it stands: name, section, page.
answers-document = “{ $text }” — { $place }
# $page
answers-document_page = p. { $page }
# $date, $text: an older word of the same person on the same matter, which the one before replaces.
answers-earlier = Before that, { $date }: { $text }
answers-earlier_undated = Before that: { $text }
# $amount: what is left of a debt, with its currency.
answers-rest = That leaves { $amount }.
# $amount: the sum of the amounts in the sentences above it, with their currency or unit.
answers-sum = Together: { $amount }.
# $years: computed from the date of birth above it.
answers-age = Age today: { $years }.
answers-age_then = Age in { $year }: { $years }.
# $line: a sentence that shares something with the question but may not answer it.
answers-perhaps = I don't know for certain. Perhaps this helps: { $line }
answers-unknown = I don't know: nothing I was told here answers that.
# In place of unknown when what was told could not be read to the end in time.
answers-unread = I don't know yet: I could not look through everything I was told in time. Please ask me again.
# $count: how many more questions a message asked than are answered at once.
answers-not_answered = { $count } more were asked: please send them in another message.
# To "Forget my old address": nothing is erased on the strength of a sentence that was only understood by rule.
answers-how_to_forget = Nothing is forgotten yet. Write /forget and a word of it: I will show what I find and erase it.
# For what cannot be answered by quoting.
answers-needs_model = I can only repeat what I was told; this needs a language model.
# Stands above sentences in order of time, for "in what order …".
answers-in_order = In order of time:
# The same for "summarise what I told you about …".
answers-gathered = What I find about that, by day:
# The same for "what did we decide".
answers-decided = What was decided:
# A hint: no language model is configured, and how to add one.
answers-no_model = (No language model is configured, so I answer from memory alone. To add one: llm.url and llm.model in preferences/runtime-config.json, or LLM_URL, LLM_MODEL and LLM_API_KEY.)
    .user = (I answer from memory alone: I can repeat what I was told here, and not more.)
# In place of a name: somebody who is neither the asker nor ourselves, at the beginning of said.
answers-another = Another person
# The same within forwarded.
answers-another_source = another person
# $id: in place of a name, somebody of whom only the number is known, at the beginning of said.
answers-numbered = Person { $id }
# When something was told, seen from today: the last week by its days, Monday first.
answers-today = today
answers-yesterday = yesterday
answers-on_weekdays =
    on Monday
    on Tuesday
    on Wednesday
    on Thursday
    on Friday
    on Saturday
    on Sunday
# $date: one of day and date.
answers-on_date = on { $date }
# $weekday: one of on_weekdays; where the question is about time.
answers-weekday_date = { $weekday }, { $date }
# In this year, and in another.
answers-day = { $day } { $month }
answers-date = { dates-day }
answers-months = { dates-months }

## documents: $name is a document's name, $about what it is and how long, $reason one of reasons. $number is the
## document's number in its chat; $page and $pages count pages, or those of a listing.

# While it is read.
documents-reading = Reading { $name } …
documents-read = I have read { $name } ({ $about }).
# The very same file was sent before.
documents-known = I know { $name } already ({ $about }); nothing was added.
# $version: it takes the place of an earlier one of its name.
documents-renewed = It takes the place of the earlier one with this name (version { $version }).
documents-cut = It is longer than I may read: the rest is left out.
documents-masked = What looked like a secret was left out.
documents-how_to_ask = Ask me about it, or reply to this message. /docs lists what I have read.
documents-failed = I could not read { $name }: { $reason }.
# It holds conversations, which are imported.
documents-export = { $name } is an export of conversations. To bring its messages along, send it again with the caption /import (in the terminal: /import PATH). I have kept nothing of it.
documents-links_off = I do not open links here (documents.links); the address I keep as you wrote it.
documents-memory_off = I keep nothing while memory is off, so I have not read { $name }.
documents-unnamed = the file
# By the short word that an error has for it; "" for any other.
documents-reasons =
    .other = something is wrong with it
    .encrypted = it is protected by a password
    .too_large = it is too large (documents.maxMegabytes)
    .empty = it is empty
    .no_text = there is no text in it, only pictures
    .damaged = it is damaged
    .no_reader = what reads it is not installed here (pip install 'mneme[documents]')
    .unknown_kind = I do not know this kind of file
    .rich_text = rich text (.rtf) is not read; save it as .docx
    .archive = an archive is not unpacked; send the files in it one by one
    .old_office = the old formats .doc, .xls and .ppt are not read; save it as .docx, .xlsx or .pptx
    .outlook = Outlook's own format (.msg) is not read; save the message as .eml
    .timed_out = it took too long
    .gone = it is not there any more
    .unreachable = it cannot be reached right now; please try again later
    .disk = there is no room for it here
    .private = that address is not public
    .scheme = only http and https addresses can be read
    .port = only ordinary web addresses are read
    .credentials = only ordinary web addresses are read
    .kind = I do not know what lies there
    .malformed = that is no address
    .status = the site answers with an error
    .unresolved = there is no such address
    .redirects = the address leads in circles
# $count
documents-about_pages = pages: { $count }
documents-about_sections = sections: { $count }
documents-about_characters = characters: { $count }
# $page: where in a document something stands.
documents-place_page = p. { $page }
# $count: above the list of documents.
documents-listed = Documents: { $count }
documents-none = I have read no documents here yet. Send me a file or a link.
documents-open_button = Open { $number }
documents-forget_button = Forget
# $day, $author.
documents-added = Added { $day } by { $author }.
# $url
documents-source = From { $url }
documents-outline = Sections:
# $count
documents-more_sections = … and more: { $count }
documents-confirm = Forget { $name } with everything that I have read in it?
documents-yes_forget = Yes, forget it
# $name: it means more than one; they are listed below.
documents-several = Several documents can be meant by “{ $name }”:
documents-missing = I have no document “{ $name }”. /docs lists what I have read.
# Files are added by their path in the terminal chat alone.
documents-from_terminal = A path can be given in the terminal chat only. Here, send me the file.
documents-usage = /docs lists documents; /docs NAME opens one; /docs forget NAME forgets it.
documents-ask_usage = Ask like this: /ask NAME your question (the name or number is in /docs).
# $page, $pages
documents-page_of = Page { $page } of { $pages }

## files: $name is the file's, $size and $most are megabytes.

# Below the beginning of a long answer.
files-whole_answer = The whole answer is in the file { $name }.
# What the file of an answer is called.
files-answer = answer
files-too_large = The file { $name } has { $size } MB; more than { $most } MB cannot be sent here.
files-not_here = The file { $name } cannot be sent here.
files-gone = The file { $name } is not there any more.
# The chat's platform did not take it.
files-refused = The file { $name } could not be sent: the chat did not take it.

## chat: The button under a growing answer, and what the bot's profile says of it.

chat-stop_button = ■ Stop
# In a chat that is still empty; 512 characters at most.
chat-description =
    An assistant that remembers what you tell it, and shows you what it remembers.

    Write to it as to a person. /memory shows what it knows, /why what an answer was made from, and /forget deletes for good.

    It runs on somebody's own server: it answers those whom its operator lets in.
# On the bot's profile; 120 characters at most.
chat-short_description = An assistant with a memory you can see, correct and delete. /help lists what it can do.
# Lines of help for what only the owner's menu lists.
chat-owner_commands =
    .users = who was let in by a code (a stranger sends it: /pair CODE)
    .tools = tools of other programs
    .again = answers that may not have arrived
# What /start TOPIC explains, by topic; a link to the bot can name one.
chat-topics =
    .memory = Tell me something and I keep it: who you are, what you decided, what you like. Ask, and I answer from it. /memory shows everything I keep, /why what my last answer was made from.
    .privacy = What you write is kept on my operator's own server. /forget deletes one memory, or everything, down to the last byte; passwords and keys are masked before they are kept. What a private chat remembers never comes up in a group.
    .groups = In a group I answer to a command, to my name, and to replies to me; the rest I do not read. The group has a memory of its own. My operator lists the groups that I work in.

## loop: When an answer is not simply an answer; $reason names the setting to change.

loop-stopped = (stopped)
loop-out_of_time = I stopped here: this took longer than { $seconds } seconds (llm.wallSeconds).
    .user = I stopped here: this took too long.
loop-out_of_calls = I stopped here: this needed more steps than I may take for one message (llm.maxCalls).
    .user = I stopped here: this needed more steps than I may take for one message.
loop-failed = I could not ask the language model: { $reason }
    .user = I cannot reach my language model right now. Please try again later.
loop-broke_off = The answer broke off here: { $reason }
    .user = The answer broke off here. Please ask again for the rest.
loop-empty = The language model gave no answer. Please put it another way, or ask again.
loop-cut_short = The answer was cut at its length limit (llm.maxTokens). Say “go on” for the rest.
    .user = The answer was cut at its length limit. Say “go on” for the rest.
loop-ask = I have read what others wrote here, so I keep nothing without your word. Remember exactly this? { $text }
loop-agree = Remember
loop-ask_forget = I forget nothing without your word. Forget exactly this? { $text }
loop-agree_forget = Forget

## basic: /start, /help, /new, /stop and what no command is.

basic-start =
    Hello{ $name }! I am Mneme, an assistant that remembers.

    Tell me things as they come, and ask me about them days or months later. I keep them in this chat's own memory, show you why I remembered something (/why), and forget what you want forgotten (/forget).

    All commands: /help
basic-start_without_model = No language model is configured, so I answer with what you told me. To add one, set llm.url and llm.model in preferences/runtime-config.json (and LLM_API_KEY if it needs a key).
    .user = I answer with what you told me.
basic-help_head = What I can do:
basic-help_tail = Everything else you write is a conversation, and I remember it.
basic-commands =
    .start = who I am
    .help = this list of all commands
    .new = start a fresh conversation; memories stay
    .stop = stop the answer that is being written
    .status = health, what I remember, what is waiting
    .memory = browse, search, edit and pin memories
    .remember = remember exactly this text
    .forget = forget and delete one thing, a search, or all your data
    .undo = undo: take back what was just forgotten or edited
    .why = what the last answer was based on, and why; /why figures: with scores
    .docs = documents (PDF, Word, text …) that I have read
    .ask = ask one document: /ask NAME question
    .skill = switch a skill on or off
    .settings = the language I speak, memory, quiet hours and more, for this chat
    .sessions = conversations of this chat, and the way back into one
    .compact = let a summary stand for the older part of this conversation
    .page = your memory on a page in the browser
    .export = export all data of this chat as a file
    .import = import conversations (Telegram, WhatsApp, ChatGPT …) from a file
    .usage = tokens that were used, and what this chat costs
    .remind = set a reminder: /remind tomorrow at 9 call Vera
    .reminders = list, move and cancel reminders
    .list = what is to be bought or done: /list add shopping: milk
    .lists = all lists
basic-unknown_command = I do not know the command /{ $name }.
basic-did_you_mean = Did you mean /{ $name }?
basic-edited_command = An edited command is not carried out. Please send it as a new message.
basic-new_session = A fresh start. This conversation is closed, and what I remember stays with me.
basic-stopped = Stopped.
basic-nothing_to_stop = There is nothing to stop: I am not writing anything at the moment.
basic-not_yours_to_stop = Somebody else has asked what I am answering: that ends when they or my owner stop it.
basic-waiting = Messages that still wait for an answer: { $count }
basic-drop_waiting = Drop them
basic-dropped = Messages dropped unanswered: { $count }

## doubt: About answers that may not have arrived.

doubt-undelivered =
    { $count ->
        [1] Your last answer may not have arrived.
       *[other] Your last answers may not have arrived: { $count }
    }
doubt-show = Show again
doubt-nothing = There is nothing to show again: your answers have arrived, or are not kept any more.

## users: /users; $id is a user's, $name as they write under, $who either or both.

users-head = People who may talk to me
users-none = Nobody may talk to me yet. Let somebody in with a code:
users-owner_only = Only the owner (telegram.ownerId) can see and change who may talk to me.
users-not_here = I tell who may talk to me in our own chat alone.
# With $who and $messages.
users-line = { $who } – messages: { $messages }
# With $day.
users-by_code = Let in by a code on { $day }
users-by_settings = Let in by the configuration (telegram.allowedUsers)
# With $moment.
users-seen = Wrote last on { $moment }
users-never_seen = Has not written yet
# With $count.
users-messages = Messages that are kept: { $count }
# With $count: of this month.
users-tokens = Tokens this month: { $count }
users-owner = (my owner)
users-revoke_button = Revoke
users-back = ‹ Back
# With $who.
users-confirm = Let { $who } in no longer? Their next message is a stranger's. What is remembered of them stays.
users-confirm_button = Revoke { $id }
users-revoked = { $id } is not paired any more. What is remembered of them stays, and a new code lets them in to it again.
users-unknown = { $id } is not paired.
# Somebody whom the configuration lets in cannot be revoked here.
users-listed = { $id } is let in by telegram.allowedUsers in the configuration, and can only be taken out there.
users-invite_button = Invite somebody
# With $code and $minutes.
users-invited =
    Pass this on: `/start { $code }`
    It lets one person in, once, within { $minutes } minutes, in a direct chat with me.
# With $link.
users-link = Or as a link: { $link }
users-no_bot = There is no Telegram bot: set TELEGRAM_TOKEN in .env or the environment.
users-pairing_off = Codes are switched off (telegram.pairing).

## status: /status.

status-head = Status
status-model = Language model: { $model }
status-no_model = No language model configured: answers come from memory alone.
# With $tokens and $source, one of window_sources: how much the model can read, and who says so.
status-window = window { $tokens } tokens, { $source }
# By "settings", "server" and "assumed".
status-window_sources =
    .settings = set
    .server = said by the server
    .assumed = assumed, the server does not say
# With $prompt, $cached (tokens_cached or nothing), $completion, $background and $share, in percent.
status-tokens_today = Tokens of this chat today: { $prompt } read{ $cached }, { $completion } written; { $background } of them in the background ({ $share } %)
status-tokens_in_all = Tokens of this chat in all: { $prompt } read{ $cached }, { $completion } written; { $background } of them in the background ({ $share } %)
# With $share, in percent.
status-tokens_cached = { " " }({ $share } % of them from the server's cache)
status-memory = Memories of this chat: { $total }
status-memory_off = Memory is switched off (memory.enabled).
    .user = Memory is switched off.
# By the name of the part, "config"; servers of tools are called what the operator calls them.
status-parts =
    .config = settings
    .store = store
    .lightrag = long-term memory (LightRAG)
    .llm = language model
    .telegram = Telegram
    .memory = memories
    .tokens = tokens
    .outbox = waiting for long-term memory
    .deliveries = deliveries
    .imports = imports
    .backups = back-ups
# By what a part says of itself where nothing is wrong; what an error says is the operator's as it is.
status-reasons =
    .switched-off-rag-enabled = switched off (rag.enabled)
    .none-configured-llm-url-answers-come-from-memory-alone = none configured (llm.url)
    .no-token-TELEGRAM_TOKEN-the-terminal-chat-is-used = no token (TELEGRAM_TOKEN)
    .the-embedded-memory-server-is-starting = is starting
status-waiting = Waiting for long-term memory: { $count }
status-dead = Given up by long-term memory: { $count }; `mneme dead-letters --revive` tries them again
status-nothing_waiting = Long-term memory is up to date.
status-unknown_deliveries = Replies that may not have arrived: { $count } (/again shows them)
status-refused_deliveries = Replies that could not be delivered: { $count }
# With $name and $reason.
status-refused_import = The last import, { $name }, was not done: { $reason }
# With $count, $at, the newest one's time in ISO 8601, and $size, in MB.
status-backups = Back-ups: { $count }, the newest of { $at }, { $size } MB in all
status-no_backups = Back-ups: none yet; one is made every day.
status-backed_up_by = Back-ups: made with { $tool }, not by Mneme.
status-states =
    .ok = ok
    .degraded = degraded
    .down = down

## memory: /memory.

memory-head = Memories of this chat: { $total }
memory-found = Memories with “{ $search }”: { $total }
memory-empty = I have no memories here yet. Tell me something, or use /remember. Whole conversations are kept beside these notes and are searched as well.
memory-none_found = No memory matches “{ $search }”. Conversations are searched when you simply ask me.
memory-none_pinned = Nothing is pinned. /memory pin NUMBER keeps a memory in mind always.
memory-none_in_history = No memory has been replaced by a newer one.
memory-no_wishes = No standing wishes. Say how you want to be answered or called: “Always answer in metric units.”
# Heading of the standing wishes, above the other memories.
memory-wishes = Standing wishes:
# $count wishes are not shown there.
memory-more_wishes = … and { $count } more: /memory wishes
memory-page = Page { $page } of { $pages }
memory-hint = Search, edit, pin and forget: /memory help
memory-usage =
    - /memory – what is there, with buttons
    - /memory open NUMBER – one memory with its history
    - /memory show kinds · show people · show times
    - /memory WORDS – search
    - /memory page 2 – further ones
    - /memory wishes · /memory pinned · /memory history
    - /memory edit NUMBER new text · /memory edit NUMBER asks for it
    - /memory pin NUMBER · /memory unpin NUMBER
    - /memory forget NUMBER
memory-pinned_mark = pinned
memory-superseded_mark = replaced by { $id }
memory-edited = Memory { $id } now says: { $text }
memory-corrected =
    Corrected: { $text }
    Before: { $before }
memory-what_holds = What holds instead of { $text }? Say it in a word, or look at what you told me.
memory-look = Look at it
memory-pinned = Memory { $id } is pinned: I always keep it in mind.
memory-unpinned = Memory { $id } is no longer pinned.
memory-not_yours = Somebody else said that: admins of the group and my owner can change or forget it. You can tell me what holds now in your own words.
memory-missing = There is no memory { $id } here.
memory-sources =
    .chat = from conversation
    .remember = you asked me to remember it
    .summary = from a summary
    .import = imported
    .edit = edited
memory-assistant = assistant
# $name wrote it, somebody here passed it on.
memory-forwarded = { $name }, forwarded
# The same where it is known that $by did, who is not the reader.
memory-forwarded_by = { $name }, forwarded by { $by }
memory-you = you
# In place of a name: somebody who is neither the reader nor ourselves.
memory-another = another person
# $id: in place of a name, somebody of whom only the number is known.
memory-numbered = person { $id }

## calls: A call that needs consent, what came of it, and /tools; $server and $tool are names.

# $text: the server, the tool and the arguments, verbatim.
calls-ask = I do this only if you want it. Make exactly this call? { $text }
calls-agree = Do it
calls-done = Done: { $tool } of { $server } answered:
# The tool answered without a word.
calls-nothing = Done: { $tool } of { $server } answered without a word.
calls-failed = { $tool } of { $server } did not do it:
calls-unsure = Nobody knows whether { $tool } of { $server } has done it; I do not do it again by myself:
calls-too_late = That question is not open any more. Nothing was done. Ask me again.
# What the conversation keeps of a call, in our words.
calls-history = (The user agreed, and { $tool } of { $server } was called. Above is what it answered.)
calls-owner_only = Only the owner of this bot may do that.
calls-none = No tool servers are configured (mcp.servers).
calls-head = Tools of other programs:
# By "starting", "ready" and "down".
calls-states =
    .starting = starting
    .ready = ready
    .down = not there
calls-asks = asks first
calls-runs = runs by itself
calls-held = held: it says something else than when it was approved: { $text }
calls-approve = Approve { $tool }
calls-approved = { $tool } of { $server } may be used as it describes itself now.
calls-changed = { $tool } of { $server } describes itself in another way by now. Look again: /tools

## memory_views: /memory by kind, person and time, one memory with its history, and the buttons below; counts follow a
## colon.

# By the value of an item's type.
memory_views-kinds =
    .decision = Decisions
    .constraint = Rules
    .failure = Problems
    .fix = Solutions
    .preference = Likes and habits
    .project_fact = Facts
    .task_state = Tasks
    .command_result = Results
# By "week", "month", "year" and "older".
memory_views-times =
    .week = This week
    .month = This month
    .year = This year
    .older = Older
memory_views-by_kind = By kind
memory_views-by_person = By person
memory_views-by_time = By time
memory_views-pinned = Pinned
memory_views-history = Replaced
memory_views-home = All memories
memory_views-back = ‹ Back
memory_views-people_head = Who said it, and whom or what it is about:
memory_views-times_head = When it was said:
memory_views-kinds_head = By kind:
# $name and $total: a line or a heading.
memory_views-counted = { $name }: { $total }
memory_views-said_by = Said by { $name }
memory_views-about = About { $name }
# In place of a name: nobody is known to have said it.
memory_views-nobody = somebody unknown
memory_views-gone = Memory { $id } is not there any more. This is what is there now:
memory_views-none_here = Nothing is there any more.
# $id and $kind.
memory_views-opened = Memory { $id } · { $kind }
memory_views-from_message = From the message: { $text }
# Behind a text of which only the beginning is shown; $count characters are left out.
memory_views-cut = … and { $count } more characters
memory_views-replaced_head = It took the place of:
memory_views-replaced_by = Replaced by { $id }: { $text }
memory_views-withdrawn = Withdrawn: the message that said it was edited.
memory_views-used = Used for answers: { $count }
memory_views-used_last = Used for answers: { $count }, last on { $day }
memory_views-never_used = Not used for an answer yet.
memory_views-restated = Said again: { $count }
memory_views-edit = Edit
memory_views-pin = Pin
memory_views-unpin = Unpin
memory_views-forget = Forget
memory_views-cancel = Cancel
memory_views-put_back = Put back
# $id and $minutes.
memory_views-ask_edit = Your next message within { $minutes } minutes becomes the new text of memory { $id }. Now it says:
# The same where the bot hears only what is said to it.
memory_views-ask_edit_group = Reply to this within { $minutes } minutes with the new text of memory { $id }. Now it says:
memory_views-changed = Memory { $id } has changed meanwhile. Nothing was done; this is how it is now:
memory_views-confirm_forget = Shall I forget memory { $id }? With it goes what it comes from:
memory_views-answered = I answered: { $text }
memory_views-learned = Remembered from it:
# $number: opens the source of that number.
memory_views-open_number = Open { $number }
# In the terminal, $label: a key was taken for a press.
memory_views-pressed = “{ $label }” chosen.

## remember: /remember.

remember-done = Remembered, as number { $id }: { $text }
remember-masked = I left out what looks like a secret ({ $kinds }): secrets do not belong in memory.
remember-kinds =
    .API-key = API key
    .bot-token = bot token
    .token = token
    .password = password
    .card-number = card number
    .IBAN = IBAN
    .PIN = PIN
    .seed-phrase = seed phrase
    .private-key = private key
remember-nothing_left = That looks like nothing but a secret ({ $kinds }), and secrets do not belong in memory. Nothing was kept.
remember-usage = What shall I remember? Write it behind the command: /remember Vera's birthday is on 3 May
remember-quoted = { $author } wrote: { $text }
remember-off = Memory is switched off (memory.enabled), so I cannot remember anything now.
remember-too_long = That is too long for one memory: { $length } characters, at most { $limit }. Tell it in parts.
remember-too_late = This question is not open any more. To remember something, send /remember with the text.

## reminders: $text is what to be reminded of, $when a full date with its time, $zone an IANA name.

reminders-kept = I will remind you on { $when } ({ $zone }): { $text }
# $repeat from repeats; $when is the first time.
reminders-kept_repeated = I will remind you { $repeat } ({ $zone }), first on { $when }: { $text }
reminders-changed = The reminder is changed.
# $time: no time of day was said.
reminders-assumed_time = You named no time of day, so I took { $time }.
reminders-assumed_zone = I took { $zone } for your time zone. If that is wrong, set yours with /settings: reminders move with it.
# In place of a text that nobody gave.
reminders-untitled = your reminder
reminders-alarm = wake up
reminders-ask_when = When shall I remind you: { $text }? For example: tomorrow at 9.
# In place of it where the time hangs on something that is not known.
reminders-ask_when_event = I do not know when that is. At what time shall I remind you: { $text }?
reminders-ambiguous = Which time do you mean: { $text }?
reminders-waiting = Not set yet, I do not know for when: { $text }
reminders-past = { $when } is over ({ $zone }), so I have set no reminder. Name a time to come.
reminders-never = There is no such time, or it is too far away, so I have set no reminder.
# $count: how many there may be.
reminders-too_many = There are { $count } reminders here already, and that is as many as there may be. Cancel some: /reminders
# $total.
reminders-head = Reminders: { $total }
reminders-none = There are no reminders. Say for example: remind me tomorrow at 9 to call Vera.
reminders-hint = Cancel one: /remind cancel NUMBER · another time: /remind move NUMBER WHEN
reminders-usage =
    /remind WHEN WHAT, for example: /remind tomorrow at 9 call Vera
    /remind every Monday at 8 put out the bins
    /remind cancel NUMBER · /remind move NUMBER WHEN · /remind snooze NUMBER WHEN
    /reminders lists them
# $number.
reminders-missing = There is no reminder { $number } here.
reminders-not_yours = Only the one who asked for this reminder can change it.
reminders-done = Done: { $text }
reminders-cancelled = Cancelled: { $text }
reminders-put_back_button = Put it back
reminders-which_cancel = Which reminder shall I cancel?
reminders-which_move = Which reminder shall I move?
# The reminders that the words of an order or a question name.
reminders-named = This is what I will remind you of:
reminders-is_set = It is set: { $line }
reminders-not_set = No such reminder is set now.
reminders-none_named = I find no reminder about that. These are set:
reminders-no_new_time = To when shall I move it? For example: move it to tomorrow at 9.
# { $count } is how many.
reminders-confirm_cancel_all = Shall I cancel all your reminders here ({ $count })?
reminders-cancel_all_button = Cancel all
reminders-cancelled_all = Cancelled: { $count }
# { $text } is a reminder in a line. It is about something whose time has changed.
reminders-offer_new = Shall I remind you of it?
reminders-offer_move = This reminder is set: { $text } Shall I move it?
# On a button below: { $when } is a date and time.
reminders-move_to_button = { $when }
reminders-snoozed = I will remind you again on { $when } ({ $zone }): { $text }
reminders-next = Next: { $when }
# $when: due while the bot was not running.
reminders-late_down = It was due on { $when }. I was not running then.
reminders-late = It was due on { $when }. I could not send it then.
# $count: repetitions that were missed besides.
reminders-missed = Missed besides: { $count }
reminders-done_button = ✓ Done
reminders-minutes_button = 10 min
reminders-hour_button = 1 h
reminders-tomorrow_button = Tomorrow
reminders-cancel_button = ✕ Cancel
reminders-back_button = ‹ List
# $number.
reminders-open_button = No. { $number }
reminders-agree_button = Yes, remind me
# Above what a model would have us remind of: the user decides.
reminders-ask_agreement = Shall I remind you? { $when } ({ $zone }): { $text }
# By unit, "day" for one and "days" for several ($count); weeks have $days, months $day, years $date; also "workdays"
# and "last" (day of the month).
reminders-repeats =
    .minute =
        { $count ->
            [1] every minute
           *[other] every { $count } minutes
        }
    .hour =
        { $count ->
            [1] every hour
           *[other] every { $count } hours
        }
    .day =
        { $count ->
            [1] every day
           *[other] every { $count } days
        }
    .week =
        { $count ->
            [1] { $days }
           *[other] every { $count } weeks ({ $days })
        }
    .month =
        { $count ->
            [1] on day { $day } of every month
           *[other] on day { $day } of every { $count } months
        }
    .nth =
        { $count ->
            [1] on the { $days } of every month
           *[other] on the { $days } of every { $count } months
        }
    .year =
        { $count ->
            [1] every year on { $date }
           *[other] every { $count } years on { $date }
        }
    .workdays = every weekday (Monday to Friday)
    .last = on the last day of every month
# $repeat, $time.
reminders-at = { $repeat } at { $time }
# $repeat, $date.
reminders-until = { $repeat }, until { $date }
# $repeat, $count.
reminders-times = { $repeat }, { $count } times
# Monday first.
reminders-each_weekday =
    every Monday
    every Tuesday
    every Wednesday
    every Thursday
    every Friday
    every Saturday
    every Sunday
# $nth: 1 to 5, -1 for the last; $weekday: Monday is 0. "first Monday".
reminders-nth_weekday =
    { $nth ->
        [1] first
        [2] second
        [3] third
        [4] fourth
        [5] fifth
       *[-1] last
    } { $weekday ->
        [0] Monday
        [1] Tuesday
        [2] Wednesday
        [3] Thursday
        [4] Friday
        [5] Saturday
       *[6] Sunday
    }
# $day, $month: a date of every year.
reminders-day_and_month = { $day } { $month }

## lists: $list is the name of a list, $items what is spoken of, $count how much is open there.

lists-names =
    .shopping = Shopping list
    .todo = To-do list
    .packing = Packing list
lists-added = { $list }: added { $items }. Open: { $count }.
lists-known = { $list }: { $items } stood there already. Open: { $count }.
lists-full = { $list }: no more than { $count } entries may be open. Tick some off first.
lists-done = { $list }: ✓ { $items }. Open: { $count }.
lists-removed = { $list }: { $items } taken off. Open: { $count }.
lists-opened = { $list }: { $items } open again. Open: { $count }.
lists-head = { $list } ({ $count }):
lists-closed_head = { $list }, no longer open:
lists-nothing_open = { $list }: nothing is open.
lists-nothing_closed = { $list }: nothing is ticked off.
lists-none = There is no list yet. Say for example: put milk on the shopping list.
lists-which = Which one do you mean?
lists-unclear = I am not sure what goes on the list and what comes off. Say for example: add beer and take the bread off.
lists-is_open = { $items } is open ({ $list }): { $name }, { $when }.
lists-is_done = { $items } is ticked off ({ $list }): { $name }, { $when }.
lists-is_removed = { $items } was taken off ({ $list }): { $name }, { $when }.
lists-somebody = somebody
lists-not_there = { $items } is not there ({ $list }).
lists-tick_button = ✓ { $item }
lists-open_button = ↺ { $item }
lists-closed_button = Ticked off: { $count }
lists-back_button = What is open
lists-missing = There is no entry { $number } here.
lists-usage =
    /list: what is open
    /list NAME: one list
    /list add NAME: milk, eggs
    /list done NUMBER, /list drop NUMBER, /list back NUMBER
    /list closed NAME: what was ticked off

## forget: /forget.

forget-usage =
    What shall I forget?

    - /forget WORDS – searches and shows what fits
    - /forget NUMBER – one memory (see /memory)
    - /forget everything – all that I know in this chat
forget-none_found = I find nothing about “{ $search }”, so there is nothing to forget, and this message is not kept either.
forget-candidates = This is what I find about “{ $search }”. Which of it shall I forget?
forget-this_one = Forget { $number }
forget-all_of_them = All of these
forget-which = Nothing is forgotten yet. Which shall it be? Say a number, “the second one”, “all of them”, or “no”.
forget-left = All right, nothing is forgotten.
forget-more = There is more; narrow it down with further words.
forget-missing = There is no { $ref } in this chat's memory.
forget-confirm_everything = This erases everything I know in this chat: every conversation, every memory, long-term memory too. It cannot be undone. If you are sure: /forget everything yes
forget-confirm_button = Yes, forget everything
forget-done = Forgotten.
forget-done_everything = Everything of this chat is forgotten. Its settings stay (/settings).
forget-not_yours = Everything that this group remembers is forgotten by its admins and my owner alone. What you said yourself you can forget: `/forget WORDS`.
forget-replied_to_nothing = I keep nothing of the message that you reply to, so there is nothing to forget.
# $count: memories that others said.
forget-spared = Said by others, and left as it is: { $count }. Admins of the group and my owner can forget it.
# $count: documents that were sent.
forget-files = Files and pages that you sent: { $count }
forget-exchanges = Conversation turns removed: { $count }
forget-items = Memories removed: { $count }
# $count: memories that were told in the same messages and not named.
forget-beside = Messages go as a whole. What else they told is gone, too: { $count }
forget-rest = What else the message says stays: { $text }
forget-answers = Later answers that repeated it, blanked: { $count }
forget-documents = Documents of long-term memory: { $count }
forget-pending = Long-term memory has been asked to remove its part and has not confirmed yet; I keep asking until it has.
forget-confirmed = Long-term memory has confirmed the removal.
forget-verified = Checked: searching for it finds nothing any more.
forget-residue = Checked: there is still something left, and I keep working on it: { $count }
forget-everything_words =
    everything
    all
forget-yes_words =
    yes
forget-withheld = Long-term memory shows its part no more, and removes it after that time.
forget-undoable = Gone from every file in { $seconds } seconds. Until then /undo brings it back.
forget-undo_button = Undo
forget-undone = It is back.
forget-back_exchanges = Conversation turns: { $count }
forget-back_items = Memories: { $count }
forget-back_files = Files and pages: { $count }
forget-back_answers = Answers and quotations that had been blanked: { $count }
forget-back_reminders = Reminders: { $count }
# { $text } is what somebody had told, word for word.
forget-taken_back = Taken back, I have forgotten it: { $text }
forget-taken_back_before = That was the one before:
forget-taken_back_already = That has been taken back.
forget-nothing_done = There is nothing of yours here to take back.
forget-nothing_to_undo = There is nothing to take back (any more): what was forgotten is gone.
forget-lapsed = What you had me forget last is gone for good: that can no longer be taken back. Nothing else was changed.

## why: /why.

why-nothing_answered = I have not answered anything here yet that I could explain.
why-question = You asked: { $text }
# In place of question: $text was forwarded, $name wrote it.
why-forwarded = You forwarded from { $name }: { $text }
why-no_memories = That answer used no memories.
why-head = It was based on these memories: { $count }
why-more = Further ones: { $count }
why-channels =
    .item = from my notes
    .store = from the store (said word for word)
    .digest = in short, from what was said
    .document = from the document
    .lightrag-chunk = from LightRAG (text)
    .lightrag-entity = from LightRAG (what it knows about a name)
    .lightrag-relation = from LightRAG (how two things relate)
# Why a memory was found, one after the other. $whom: a name, or "your sister".
why-reasons =
    .then = said in the time you asked about
    .about = about { $whom }
    .same-words = the same words
    .some-words = some of the same words
    .meaning = means nearly the same
    .speaker = said by whom you asked about
    .pinned = pinned
    .long-term-memory = LightRAG agrees
    .nearest = the nearest of what I know
# The word behind /why for the figures.
why-figures = figures
why-signals =
    .words = words
    .near-words = related words
    .meaning = meaning
    .speaker = speaker
    .date = date
    .certainty = certainty
    .recent = recent
    .importance = importance
    .long-term-memory = LightRAG agrees
    .rank = place in LightRAG
    .second-look = second look
    .pinned = pinned
    .kind-of-message = kind of message
why-exchange = exchange { $uid }
why-strength = match { $score }
why-notes = Notes on that answer:

## skill: /skill.

skill-head = Skills:
skill-none = No skills are installed. Put one into preferences/skills/NAME/SKILL.md.
    .user = No skills are installed.
skill-active = active
skill-on = Skill { $name } is on for this conversation. /skill off ends it.
skill-off = No skill is active now.
skill-unknown = There is no skill { $name }.

## exporting: /export.

# $turns, $items, $size in megabytes.
exporting-ready =
    Everything that I keep of this chat. Messages: { $turns }, memories: { $items }, { $size } MB.

    README.md in it says what stands where; sent back with /import, it is read again.
# $path: where the file lies, in a terminal chat.
exporting-written = The file: `{ $path }`
exporting-nothing = Nothing is kept of this chat yet.
# $size and $limit in megabytes, $scope.
exporting-too_large = The export has { $size } MB, more than I can send here ({ $limit } MB). In the terminal: `mneme export --scope { $scope }`
exporting-confirm = Everybody in this group will be able to open the file, with all that I keep of the group. Send it?
exporting-confirm_button = Send it here
exporting-owner_only = A memory that several people share is exported by my owner, that of a group also by its admins.
exporting-private = In this group I use your private memory. Ask for its export in our direct chat.

## importing: /import.

importing-usage = Send me an exported conversation as a file with the caption /import: result.json of Telegram Desktop, a chat of WhatsApp, conversations.json of ChatGPT or Claude, a channel of Discord (DiscordChatExporter), message_1.json of Messenger or Instagram, a workspace of Slack, an export of mine, or the zip they came in.
importing-usage_terminal = Name the file: `/import FILE`
# $format, $messages, $chats, $first and $last, dates.
importing-survey = { $format }, messages: { $messages }, chats: { $chats }, from { $first } to { $last }.
# $items: memories of an export of Mneme.
importing-archive = Memories: { $items }.
# $count, $what of reasons.
importing-left_out = Left out: { $what }: { $count }
importing-reasons =
    .SERVICE = notices (joined, called, pinned …)
    .PICTURE = pictures without a caption
    .VIDEO = videos without a caption
    .VOICE = voice messages and music
    .STICKER = stickers
    .FILE = files without a caption
    .NO_TEXT = other messages without words
    .VERSION = versions of messages that were replaced
    .HIDDEN = hidden messages and calls of tools
    .NO_AUTHOR = messages without an author
    .NO_DATE = messages without a date
    .TOO_LONG = messages of more than 1,000,000 characters
    .NOT_YOURS = memories of other people
importing-more_people = … and others: { $count }
importing-who = Who of these is you? Your words become yours here, all others' stay theirs.
importing-nobody_button = None of them
# $name.
importing-you = You are { $name }.
importing-own_export = I wrote this file myself: everything comes back as it was.
# $tokens: what long-term memory's model will read.
importing-tokens = Long-term memory will give about { $tokens } tokens of it to its language model to read.
# The same where it has a price: $money.
importing-tokens_priced = Long-term memory will give about { $tokens } tokens of it to its language model to read: about { $money }, without what the model writes.
importing-start = Nothing is stored yet. Import it?
importing-start_button = Import
importing-cancel_button = Cancel
importing-begun = I have begun to import “{ $name }”, and go on answering meanwhile. /import says how far it is.
# $name, $done, $total, $share in percent.
importing-progress = “{ $name }”: { $done } of { $total } ({ $share } %)
# $name, $added, $known.
importing-done = “{ $name }” is imported. New: { $added }, here already: { $known }.
# $count: forgotten on purpose before, and left so.
importing-forgotten = Forgotten on purpose before, and left so: { $count }.
# $reason.
importing-refused = This cannot be imported: { $reason }
# $name, $added.
importing-cancelled = The import of “{ $name }” was cancelled. What came in until then stays: { $added }.
importing-gone = This import is over, or was never begun.
importing-none = No import is under way.
importing-busy = An import is under way here already. /import says how far it is.
# $limit in megabytes.
importing-too_large = The file is larger than I may fetch here ({ $limit } MB). Put it on the machine that I run on, and import it in the terminal: `mneme import FILE`
importing-not_fetched = The file could not be fetched. Please send it again.
importing-owner_only = Into a memory that several people share my owner imports, into that of a group its admins, too.
importing-memory_off = Memory is switched off: nothing can be brought along.

## abilities: What needs no memory; $weekday and $day are a date, $sum and $result are figures.

# $year: in figures.
abilities-year = It is { $year }.
# $week: number of the week of the year, $weekday, $day.
abilities-week = It is week { $week }: { $weekday }, { $day }.
abilities-time = It is { $time } on { $weekday }, { $day }.
abilities-today = Today is { $weekday }, { $day }.
# To "What day is 3 May 2027?".
abilities-day = That is { $weekday }, { $day }.
# $count: days from today.
abilities-until =
    { $count ->
        [1] One day until { $weekday }, { $day }.
       *[other] { $count } days until { $weekday }, { $day }.
    }
abilities-weeks = In weeks: { $weeks }, days left over: { $days }.
abilities-since =
    { $count ->
        [1] That was yesterday: { $weekday }, { $day }.
       *[other] That was { $count } days ago: { $weekday }, { $day }.
    }
abilities-between =
    { $count ->
        [1] One day from { $day } to { $then }.
       *[other] { $count } days from { $day } to { $then }.
    }
abilities-sum = { $sum } = { $result }
abilities-rounded = { $sum } ≈ { $result }
abilities-by_zero = { $sum }: nothing can be divided by zero.

## operator: To the operator alone.

operator-needs_a_hand = This Mneme needs a hand: { $what }
operator-solved = Solved: { $what }
operator-dead_letters = long-term memory gave up what it could not take in: { $count }. `mneme dead-letters` lists it with reasons, `mneme dead-letters --revive` tries again

## costs: What model calls use and cost; sums of money come with their currency, counts with thousands apart.

costs-head = What this chat has used
costs-none = No language model was asked for this chat this month.
costs-today = Today
costs-month = This month
# With $what, $prompt, $cached (cached or nothing), $completion, $calls and $money (or nothing).
costs-line = { $what }: tokens read { $prompt }{ $cached }, written { $completion }, calls { $calls }{ $money }
# With $share, in percent.
costs-cached = { " " }({ $share } % of them from the server's cache)
costs-by_model = By model, this month
costs-by_kind = By purpose, this month
costs-unknown_model = (not named)
# What calls were made for, by the values of UsageKind.
costs-kinds =
    .answer = answers
    .summary = summaries of long conversations
    .learning = learning from conversations
    .search = reading questions
    .check = checking answers
# To the owner, with $models that have no price.
costs-unpriced = These models have no price, so their tokens are in no sum of money: { $models } (costs.prices)
# Names of budgets, as subjects of a sentence, by "chat day", "chat month", "total day" and "total month".
costs-budgets =
    .chat-day = this chat's budget for today
    .chat-month = this chat's budget for this month
    .total-day = the budget of all chats for today
    .total-month = the budget of all chats for this month
# With $budget, $spent, $limit and $share, in percent.
costs-budget_line = Used of { $budget }: { $spent } of { $limit } ({ $share } %)
# With $count.
costs-tokens = { $count } tokens
# With $budget, $spent, $limit, $share and $setting.
costs-warned = (Of { $budget } { $share } % are used: { $spent } of { $limit }. To raise it: { $setting }.)
    .user = (Of { $budget } { $share } % are used: { $spent } of { $limit }. My owner can raise it.)
# With $budget and $setting: from now on memory answers.
costs-stopped = (Nothing is left of { $budget }, so I answer from memory alone. To raise it: { $setting }.)
    .user = (Nothing is left of { $budget }, so I answer from memory alone. My owner can raise it.)
# To the operator alone, with $budget and $setting.
costs-operator_warned = little is left of { $budget } ({ $setting })
costs-operator_stopped = nothing is left of { $budget }, so everybody is answered from memory alone ({ $setting })
costs-all_head = What all chats have used this month
# With $scope, $tokens, $calls and $money (or nothing).
costs-all_line = { $scope }: tokens { $tokens }, calls { $calls }{ $money }
# In place of the chats that were forgotten.
costs-erased = chats that were forgotten
costs-together = together
costs-owner_only = Only my owner sees what all chats have used, in our own chat.
# With $today and $month: sums of money.
costs-status = Costs: { $today } today, { $month } this month (/usage)
costs-utc = Days and months are those of UTC.

## sessions: Conversations of a chat, by their titles.

# With $title, in quotation marks.
sessions-titled = This one is called { $title }.
sessions-head = Conversations of this chat
sessions-none = There is no conversation here yet. What I remember is in /memory.
# With $number, $title, $begun (a day) and $count of its messages.
sessions-line = { $number }. { $title } – { $begun }, messages: { $count }
# Behind the title of the one that goes on.
sessions-current = (now)
sessions-untitled = (without words)
sessions-hint = A number takes us back to that conversation.
# With $title, in quotation marks, $active (a moment) and $count.
sessions-opened = We are back in { $title } (last on { $active }, messages: { $count }). I know again what was said there.
sessions-already = We are in that conversation.
sessions-missing = There is no such conversation any more.
# With $count messages that became a summary, and $staying that did not.
sessions-compacted = Messages that now stand as a summary: { $count }. The last { $staying } stay word for word. Nothing was deleted.
sessions-too_short = This conversation is too short for a summary: it stays as it is.
sessions-no_model = A summary needs a language model, and none is configured. Nothing is lost: when a conversation gets long I leave out its oldest part by myself, and find it when you ask for it.
# The model did not do it.
sessions-not_compacted = My language model did not give a summary. The conversation stays as it is.
sessions-no_budget = Little is left of the budget, so it is kept for answers, and this conversation stays as it is (/usage).

## settings: /settings; the mappings are by the keys of settings: language, memory, streaming, quiet, zone, scope.

# What the language calls itself.
# Time zones in which many of its speakers live, as IANA names; as many as English has.
settings-zones =
    Europe/London
    America/New_York
    America/Los_Angeles
    Australia/Sydney
settings-head = Settings of this chat
# On buttons and in the list; what may be typed for the key, too.
settings-titles =
    .language = Language
    .memory = Memory
    .streaming = Live answers
    .quiet = Quiet hours
    .zone = Time zone
    .scope = Whose memory
# What a setting does, above its choices.
settings-about =
    .language = The language of my own words here: notices, buttons, the menu.
    .memory = Off: what is said here from then on is neither kept, searched nor learned from; I know it until the conversation ends. What I remember stays as it is, and is there again when you switch memory on.
    .streaming = On: you see an answer while it is written. Off: it comes when it is whole.
    .quiet = At these times I send nothing that you have not just asked for; it comes when they are over.
    .zone = Dates and times are told in this zone, and quiet hours and reminders go by it.
    .scope = Which memory I read and write here. Another choice moves nothing: each memory stays where it is.
settings-on = on
settings-off = off
# A choice: what the operator has set.
settings-default = As the operator set it
# Behind $value, which the operator has set.
settings-as_set = { $value } (as the operator set it)
# The language: whatever the writer's app is in.
settings-by_client = as your app is set
settings-no_quiet = none
settings-machine_zone = that of the server
# Whose memory is used, by "user", "chat", "topic" and "shared".
settings-scopes =
    .user = yours
    .chat = this chat's
    .topic = one for each topic
    .shared = shared by several chats
# What it means that another memory is used from now on, by the first three.
settings-scope_changed =
    .user = From now on I use your own memory here. What this chat's own memory holds stays there.
    .chat = From now on all of this chat uses one memory of its own. What was remembered elsewhere stays there and is not searched here.
    .topic = From now on each topic has a memory of its own, and none knows what is said in the others. What the chat's memory holds stays there and is not searched in topics.
settings-memory_off = Memory is off here: I keep nothing of what is said from now on but the reminders and lists that you ask for. What I remember stays; /forget erases.
settings-memory_on = Memory is on here.
settings-memory_off_for_all = The operator has switched memory off for everybody, so it stays off here.
# In place of an acknowledgement, while memory is off.
settings-not_kept = Memory is off here, so I keep nothing of that (/settings memory).
settings-back = ‹ Back
# With $title and $value.
settings-saved = { $title }: { $value }
settings-admins_only = Only admins of this group who may talk to me, and my owner, change its settings.
settings-owner_only = Only my owner sees the settings of the bot.
# To an owner who asks for the bot's settings where others read along.
settings-not_here = I tell the settings of the bot in our own chat alone.
# Whose memory it is cannot be chosen here.
settings-settled = Whose memory is used here is settled by the operator.
settings-unknown = I do not know that setting. There are: /settings language, memory, streaming, quiet, zone, scope – each with a value behind it or alone.
# With $languages.
settings-bad_language = I speak: { $languages }. With auto I follow your app.
settings-bad_switch = That can be on, off or default.
settings-bad_quiet = Write quiet hours like this: /settings quiet 22:00-07:30, or /settings quiet off
# With $zone.
settings-bad_zone = I know no time zone { $zone }. Write it like this: `/settings zone Europe/Berlin`.
# With $zones: names that were perhaps meant.
settings-similar_zones = Perhaps one of these: { $zones }
# With $time: what the clock shows there now.
settings-zone_saved = It is { $time } there now.
settings-type_zone = Any other: /settings zone Europe/Berlin
settings-type_quiet = Any others: /settings quiet 22:00-07:30
settings-bot_button = Settings of the bot
settings-bot_head = Settings of the bot that differ from their defaults
# With $file: where settings are changed.
settings-bot_where = They are changed in { $file }, and most act at once; docs/configuration.md lists all of them.
settings-bot_defaults = All settings have their defaults.
# In place of the value of a secret that is set.
settings-bot_secret = (set, not shown)
# With $problem: the file is not in force as it stands.
settings-bot_problem = Careful: that file has a mistake, so the last good version is in force. { $problem }

## web: Asking whether a page may be read; $url is its address, every letter of it visible.

web-ask_fetch =
    Shall I read this page? Its address leaves this machine, and the model chose it:

    { $url }
web-agree_fetch = Read it

## media: $reason is a sentence that may name a setting, $minutes and $most (megabytes) are numbers.

media-nobody_listens = I cannot listen to recordings here: no speech recognition is set up (`voice.url`). Write it to me instead.
    .user = I cannot listen to recordings here. Write it to me instead.
media-too_long = The recording is longer than the { $minutes } minutes I listen to.
media-too_large = The recording is too large for me to fetch.
media-not_fetched = I could not fetch the recording; please send it again.
media-not_heard = I could not listen to the recording: { $reason }.
    .user = I could not listen to the recording just now. Please try again later.
# Nothing is said in a recording.
media-silent = I could hear no words in the recording.
# Shows $text, the beginning of what is said.
media-heard = I heard: { $text }
# No model is set that could see a picture.
media-nobody_sees = I cannot see pictures here (llm.url, llm.vision), so I know nothing of what is on it. Tell me in words what matters.
media-picture_too_large = The picture is larger than the { $most } MB I look at.
# A picture in a format that models do not take.
media-picture_unknown = I cannot look at pictures of this format; JPEG, PNG, WebP and GIF I can.
media-picture_not_fetched = I could not fetch the picture; please send it again.
# Below an answer by a model that turned out to see no pictures.
media-not_seen = The model cannot see pictures: I have read your words, not what is on the picture.

## page: The page's headings, labels and sentences; names in braces are filled in.

page-skip = Skip to the content
page-switch = Other memories
page-leave = Close
page-nav = Parts of this memory
page-back = Back
page-go_on = Go on
page-choose_title = Whose memory?
page-choose_lead = Each chat has a memory of its own. Choose one.
page-scope_counts = Conversation turns: { $exchanges }, memories: { $items }
page-nothing_yet = Nothing is remembered here yet. Write to the assistant: what you tell it stands here afterwards. /import in the chat brings conversations of other programs along.
page-open_turn = open this turn
page-more_text = Show the rest
page-pinned = pinned
page-replaced = replaced
page-because = Found because of:
# How well a find answers, from the best on.
page-fits =
    fits very well
    fits well
    may fit
page-pages = Pages
page-newer = Newer
page-older = Older
page-search_label = Search this memory
page-search_hint = Ask or search …
page-search = Search
page-by_month = Go to a month
page-learned = Kept from it
page-named = Named in it
page-based_on = What the answer was based on
page-trace_gone = That is not kept (any more).
page-forget_turn = Forget this turn …
page-filter_label = Words that the memories hold
page-filter_hint = Filter by words …
page-kinds_label = Kinds of memories
page-results = Shown here: { $count }
page-all_kinds = All
page-wishes = Wishes
page-pinned_ones = Pinned
page-history = Replaced
page-kind = Kind
page-said_by = Said by
page-said_at = When
page-source = Where from
page-certainty = How certain
page-used = Used
page-used_times = in prompts: { $uses }, said again: { $restated }
page-add = Add a memory
page-add_label = What is to be remembered, in a sentence of its own
page-forget_chosen = Forget the chosen ones …
page-choose_item = Choose memory { $id }
page-edit_label = What it should say
page-save = Save
page-pin = Pin
page-unpin = Unpin
page-forget = Forget …
page-replaced_by = Replaced by
page-before = Before that
page-where_said = Where it was said
page-memory_title = Memory { $id }
page-turn_title = Turn of { $moment }
page-forget_title = Forget this?
page-forget_lead = This would go, from every file, with all that was derived from it:
page-and_more = And more: { $count }
page-forget_yes = Forget it
page-keep = Keep it
page-forgot_title = Forgotten
page-undo_within = It can be taken back for { $seconds } seconds.
page-undone_title = Taken back
page-by_time = in order of time
page-none_found = Nothing was found.
page-search_lead = Everything that was said, noted and indexed is searched as it is for an answer; each find says why it was found.
page-forgotten_lead = Receipts of what was erased here: when and how much, without a word of it.
page-what = What
page-turns = Turns
page-items = Memories
page-answers = Answers
page-documents = Documents
page-everything = everything
page-one_memory = single memories
page-nothing_forgotten = Nothing was forgotten here.
page-saved = Saved.
page-saved_masked = Saved, without what looks like a secret: { $kinds }.
page-was_pinned = Pinned: it stands in every prompt now.
page-was_unpinned = Not pinned any more.
page-entered = Opened
page-closed_title = Closed
page-closed = This page is closed. mneme page, or /page in the chat, opens it again.
page-link_title = This link does not open anything (any more)
page-link_spent = Each link opens the page once, within some minutes. mneme page, or /page in the chat, makes a new one.
page-missing_title = There is nothing here
page-missing = It was forgotten, or never was.
page-changed_title = Memory has changed meanwhile
page-changed = Nothing was done. Look at it again, please.
page-failed_title = That did not work
page-failed = Memory cannot be reached right now. Please try again later.
page-too_large = That was more than this form takes. Nothing was changed.
page-people_lead = Whom and what the messages name, and who is named together with whom.
page-name_search = Find a name
page-map_label = Map of names
page-map_explains = Names that stand in the same messages are joined: the broader a line, the more often. A larger sign is named more often. Each leads to its page.
page-legend = Signs
page-all_names = All names: { $count }
page-named_times = messages: { $count }
page-last_named = last on { $day }
page-nobody_yet = Nobody and nothing was named here yet.
page-named_in_messages = Messages that name it
page-first_named = First
page-newest_named = Last
page-known_about = What is known
page-nothing_known = No memory holds this name.
page-named_together = Named together with
page-files_removed = Documents that were sent: { $count }
page-indexed = Indexed
page-document_size = sections: { $sections }, characters: { $characters }
page-export = Take everything along as a file
page-no_documents = No document was sent here yet.
page-outline = Sections
page-page_number = page { $page }
page-previous = Before
page-next = After
page-costs_lead = Tokens as the servers of language models count them, and what they cost where a price is known. Days are those of UTC.
page-by_month_and_model = By month and model
page-by_day = Day by day
page-month_head = Month
page-model = Model
page-unnamed_model = unnamed
page-day_head = Day
page-read_tokens = Read
page-cached_tokens = of it cached
page-written_tokens = Written
page-calls = Calls
page-money = Money
page-together = In the last twelve months (read / written)
page-no_costs = No language model was asked here yet.
page-quiet_from = From
page-quiet_to = To
page-app_title = Your memory
page-app_lead = Open this page from the bot’s menu in Telegram.
page-app_script = This page needs JavaScript to hear from Telegram who you are.
page-app_refused = I cannot let you in. If you may talk to the bot, close this page and open it again.
page-menu_button = Memory
page-link = Your page of memory, on the machine that I run on, once within { $minutes } minutes: { $link }
page-by_menu = Your page of memory opens from the menu button beside the input field.
page-not_here = The page shows one person’s memory: ask for it in our own chat.
page-not_yours = There is no page for you here: the operator can set page.publicUrl.
page-off = The page is switched off (page.enabled).
page-terminal = Terminal chat
page-direct = Direct chat with { $name }
page-group = Group { $id }
page-topic = Topic { $topic } of group { $id }
page-shared = Shared memory “{ $name }”
# By the last part of their addresses.
page-tabs =
    .timeline = Timeline
    .people = People
    .memories = Memories
    .search = Search
    .reminders = Reminders
    .lists = Lists
    .documents = Documents
    .forgotten = Forgotten
    .costs = Costs
    .settings = Settings
# By bot.memory.items.ItemType.
page-kinds =
    .decision = decision
    .constraint = rule
    .failure = failure
    .fix = solution
    .preference = preference
    .project_fact = fact
    .task_state = task
    .command_result = result
# By bot.memory.names.NameKind, in small letters.
page-name_kinds =
    .person = person
    .place = place
    .organisation = organisation
    .thing = thing
    .name = name
# By bot.memory.items.Origin.
page-origins =
    .forwarded = forwarded
    .quoted = quoted
    .file = file
    .tool = tool
