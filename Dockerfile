# Where a company keeps copies of public images, with a slash at its end.
ARG REGISTRY=docker.io/library/

FROM ${REGISTRY}node:24.21.0-bookworm-slim AS base
ENV NPM_CONFIG_AUDIT=false \
    NPM_CONFIG_FUND=false \
    NPM_CONFIG_LOGS_MAX=0 \
    NPM_CONFIG_UPDATE_NOTIFIER=false
WORKDIR /app

FROM base AS packages
# Unset: npm's own registry, and the certificates that Node trusts. The second is the text of a certificate, as PEM.
ARG NPM_CONFIG_REGISTRY
ARG NPM_CONFIG_CA
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts

FROM packages AS build
COPY tsconfig.json tsconfig.build.json ./
COPY functions functions
COPY realtime realtime
COPY lib lib
# `dist` is a link to the newest build, and builders differ in what they make of a link.
RUN npm run build && cp -RL dist image

# A removal takes a tenth of what a second installation would.
FROM packages AS dependencies
# `npm sbom --omit=dev` would leave out whatever a tool needs, too.
RUN npm prune --omit=dev --ignore-scripts && \
    npm pkg delete devDependencies && \
    npm sbom --sbom-format=cyclonedx >sbom.json

FROM base
ENV NODE_ENV=production \
    DATA_DIR=/data
RUN install --directory --mode=0700 --owner=node --group=node /data
COPY --from=dependencies /app/node_modules node_modules
# What the image holds, with licenses and hashes.
COPY --from=dependencies /app/sbom.json ./
COPY package.json ./
# `npm run admin` and its kin call it first; without the sources it does nothing.
COPY lib/ops/prepare.mjs lib/ops/
COPY --from=build /app/image dist
# Last, because a new value makes everything below it again.
ARG VERSION=1.0.0
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="gamehall" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.description="The live side of a video-game catalogue: comments, royal lists, moderation"
USER 1000:1000
EXPOSE 3228
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10m --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3228}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/lib/main.js"]
