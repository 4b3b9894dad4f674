# Placard in one container: core, delivery workers, and, without store URLs, its own PostgreSQL and analytics store.
#   docker build -t placard .
# For a release: pin the images (npm run pin-images), then
#   docker build -t placard --build-arg RELEASE=true --build-arg "$(grep ^NODE_IMAGE= images.env)" .
#   docker run -p 8443:8443 -p 8444:8444 -v placard-data:/data placard
ARG NODE_IMAGE=docker.io/library/node:26-trixie-slim
FROM ${NODE_IMAGE} AS build
ARG NODE_IMAGE
ARG RELEASE=false
RUN case "$RELEASE $NODE_IMAGE" in "false "*) ;; *@sha256:*) ;; \
  *) echo "A release names its base image by digest: run npm run pin-images, and pass NODE_IMAGE." >&2; exit 1 ;; esac
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json console/
COPY packages/adcp/package.json packages/adcp/
COPY packages/import/package.json packages/import/
COPY test/typescript-5/package.json test/typescript-5/
RUN npm ci --no-audit --no-fund --ignore-scripts
COPY . .
# Scripts run once the sources are there: native modules, PostgreSQL's links, and the console's build.
RUN npm rebuild && npm run --if-present prepare && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
# Neither PostgreSQL nor Placard runs as root here; 10001 owns the data folder.
RUN useradd --uid 10001 --create-home --home-dir /home/placard placard && mkdir /data && chown placard:placard /data
WORKDIR /app
COPY --from=build --chown=root:root /app /app
RUN ln -s /app/bin/placard.mjs /usr/local/bin/placard
USER placard
# A production installation begins empty; PLACARD_DEMO=true makes the demo network.
ENV PLACARD_DATA=/data NODE_ENV=production PLACARD_LOG_FORMAT=json PLACARD_DEMO=false
VOLUME /data
# 8443 core, 8444 delivery; PLACARD_METRICS_PORT opens another one.
EXPOSE 8443 8444
# In every role: the command asks each process that runs here.
HEALTHCHECK --interval=15s --timeout=10s --start-period=90s --retries=4 CMD ["node", "bin/health.mjs"]
# exec form: signals reach the supervisor, which stops everything in order within 25 s.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "bin/placard.mjs"]
CMD ["serve"]
