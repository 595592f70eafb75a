"""Telegram through aiogram."""

from adapters.telegram.deferred_models import import_aiogram

import_aiogram()
