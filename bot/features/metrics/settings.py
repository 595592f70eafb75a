"""Where figures for Prometheus are served."""

from typing import ClassVar

from bot.config.section import RESTART, FeatureSection, ListenAddressOrNone, WebAddress, setting


class MetricsSettings(FeatureSection, applies=RESTART):
    """Figures of a running Mneme for Prometheus: counts and times, never texts or names."""

    key: ClassVar[str] = "metrics"

    listen: ListenAddressOrNone = setting(
        "",
        'Where `/metrics` and `/healthz` are served over plain HTTP, such as "127.0.0.1:9464": to whoever reaches '
        "it, without a password. Empty: nowhere.",
    )
    traces_url: WebAddress = setting(
        "",
        "Where spans of turns are sent by OTLP over HTTP, such as `http://127.0.0.1:4318/v1/traces`: times and "
        "counts by system. Needs `pip install 'mneme[tracing]'`. Empty: nowhere.",
    )
