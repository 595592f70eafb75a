"""A strict fake of Telegram's Bot API over real HTTP, the one that every test and benchmark uses.

Every request is held against the published description of the Bot API (or, where that file is not, aiogram's models):
fields, types, lengths, entities, keyboards, commands.  One that breaks a rule is answered 400 and kept in
``violations``; leaving ``async with`` then raises :class:`ViolationsSeen`, so that no test has to look.  A test that
breaks rules on purpose says ``FakeTelegram(forgiving=True)``.

From the test itself::

    async with FakeTelegram() as telegram:
        await telegram.says("hello", user=7)                      # also chat=, topic=, sender_chat=, any field
        await telegram.says_as_chat("hello", chat=-100500)         # an anonymous admin; sender_chat=: a channel
        await telegram.sends(b"%PDF-...", user=7, name="a.pdf", caption="what is it?")   # also kind="voice", size=
        telegram.files.lose(file_id); telegram.fail("file", Fault.DROPPED)
        await telegram.edits("hi", user=7, message_id=5)
        await telegram.presses("data", user=7, shown=telegram.chats.of(7)[-1])
        await telegram.push({"message": {...}})                   # any update, malformed ones too
        await telegram.until(lambda: telegram.texts(7))           # wait for what the chat shows
        telegram.fail("sendMessage", Fault.FAILED_AFTER, times=2)  # see Fault; code=, seconds=, retry_after=
        telegram.faults.chance = 0.3                              # and .by_chance, .methods, .seed
        async with telegram.away(): ...                           # connections are refused
        telegram.floods.enforced = False                          # no 429 where a test is about something else
        new = await telegram.migrates(-500)                       # a basic group becomes a supergroup
        telegram.close_topic(-100500, 3)                          # TOPIC_CLOSED; opened=True opens it again
        telegram.expire_queries()                                 # "query is too old" for every press so far
        await telegram.blocks(7); await telegram.unblocks(7)      # 403, and a my_chat_member update
        await telegram.adds_bot(-100500, user=7); await telegram.removes_bot(-100500, user=7)
        telegram.chats.delete(7, 12)                              # a message goes away
        listen = telegram.webhooks.put_proxy()                    # host:port where calls of the webhook arrive
        telegram.webhooks.deaf = 1                                # so many answers of the webhook get lost

    telegram.calls, .violations, .texts(chat), .chats.of(chat) (text, entities, keyboard, versions, reply_to, file),
    .chats.previews (drafts), .chats.unmodified, .floods.refused, .floods.busiest, .updates.pending, .given, .confirmed,
    .unwanted, .methods.commands, .methods.answered, .methods.webhook, .webhooks.answers
"""

from harness.fakes.telegram.chats import SentFile, Shown
from harness.fakes.telegram.floods import Fault, Violation, ViolationsSeen
from harness.fakes.telegram.server import FakeTelegram

__all__ = ["FakeTelegram", "Fault", "SentFile", "Shown", "Violation", "ViolationsSeen"]
