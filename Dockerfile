# The bot alone, without tests and sandbox, as a user who owns nothing but /data, where its database is: mount a
# volume there. What to pass: docs/RUNNING.md.
FROM python:3.11-slim

WORKDIR /app
COPY requirements.txt .
RUN python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt
COPY engine engine
COPY bot bot
RUN python -m compileall -q engine bot
RUN useradd --uid 1101 --home-dir /data --no-create-home bot && install --directory --mode 700 --owner bot /data
USER bot

# With PORT the bot answers /health, inside the container alone: for webhooks set LISTEN_ADDRESS to 0.0.0.0.
ENV DATABASE_PATH=/data/101.sqlite3 MPLCONFIGDIR=/tmp PORT=8080 PYTHONUNBUFFERED=1
VOLUME /data
HEALTHCHECK --start-period=60s --interval=30s --timeout=10s CMD ["python", "-c", "\
import http.client, os, sys; \
health = http.client.HTTPConnection('127.0.0.1', int(os.environ['PORT']), timeout=8); \
health.request('GET', '/health'); \
sys.exit(health.getresponse().status != 200)"]
CMD ["python", "-m", "bot"]
