"""The page of memory in a browser: /page, ``mneme page``, and a Mini App where Telegram shows it."""
