# Mneme and its memory server in one image: the bot is `mneme run`, the server `mneme memory-server` (compose.yaml).
# BASE may be any image with Python 3.11 to 3.13 and glibc; name one by digest (image@sha256:…) for builds that repeat.
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS build
WORKDIR /src
COPY requirements.lock requirements-build.lock requirements-postgres.lock requirements-unused.txt prune.py ./
# The locks name every package with its hash; nothing is resolved.  What only makes the models stays in this stage, as does
# what packages bring beside what is imported.
RUN python -m venv /opt/mneme && \
    /opt/mneme/bin/pip install --no-cache-dir --no-compile --no-deps --require-hashes \
        -r requirements.lock -r requirements-postgres.lock && \
    /opt/mneme/bin/pip install --no-cache-dir --no-compile --no-deps --require-hashes \
        --target /opt/build -r requirements-build.lock && \
    python prune.py /opt/mneme/lib/python*/site-packages
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY bot bot
COPY systems systems
COPY adapters adapters
COPY memory_server memory_server
COPY language language
COPY postgres_session postgres_session
COPY preferences preferences
# Byte code is made for what is imported: the root is read-only later, and all of it would be another 100 MB.  What only
# pip, type checkers and scanners read goes (of metadata all but the head), and so do the commands of packages, the parts
# of numpy that its users load by name, zones twice, and stemmers of languages that are not spoken.
RUN PYTHONPATH=/opt/build /opt/mneme/bin/pip install --no-cache-dir --no-compile --no-deps --no-build-isolation . && \
    /opt/mneme/bin/pip uninstall --yes lightrag-hku pip && \
    cd /opt/mneme/lib/python*/site-packages && find . -name '*.pyi' -delete && \
    rm -rf *.dist-info/RECORD *.dist-info/INSTALLER *.dist-info/REQUESTED *.dist-info/WHEEL *.dist-info/sboms \
        *.dist-info/top_level.txt numpy/fft numpy/ma numpy/polynomial numpy/random numpy/testing && \
    sed -i '/^$/q' *.dist-info/METADATA && \
    find /opt/mneme/bin -type f ! -name mneme -delete && \
    rm -rf pytz/zoneinfo && ln -s ../tzdata/zoneinfo pytz/zoneinfo && \
    cd / && /opt/mneme/bin/python -c "import bot.compose.entry_points, bot.compose.telegram, bot.compose.memory_server, memory_server.serve" && \
    cd /opt/mneme/lib/python*/site-packages/snowballstemmer && \
    for each in *_stemmer.py; do test -e __pycache__/${each%.py}.*.pyc || rm $each; done

FROM ${BASE}
RUN useradd --uid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin mneme && \
    install --directory --owner 10001 --mode 700 /data
COPY --from=build /opt/mneme /opt/mneme
ENV PATH=/opt/mneme/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 MNEME_DATA=/data
USER 10001
WORKDIR /data
VOLUME /data
ENTRYPOINT ["mneme"]
CMD ["run"]
