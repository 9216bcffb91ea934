FROM node:24-bookworm-slim AS base
ENV NPM_CONFIG_AUDIT=false \
    NPM_CONFIG_FUND=false \
    NPM_CONFIG_LOGS_MAX=0 \
    NPM_CONFIG_UPDATE_NOTIFIER=false
WORKDIR /app

FROM base AS packages
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts

FROM packages AS build
COPY tsconfig.json tsconfig.build.json ./
COPY functions functions
COPY realtime realtime
COPY lib lib
RUN npm run build

# A removal takes a tenth of what a second installation would.
FROM packages AS dependencies
RUN npm prune --omit=dev --ignore-scripts

FROM base
LABEL org.opencontainers.image.title="gamehall" \
      org.opencontainers.image.description="The live side of a video-game catalogue: comments, royal lists, moderation"
ENV NODE_ENV=production \
    DATA_DIR=/data
RUN install --directory --mode=0700 --owner=node --group=node /data
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
# `npm run admin` and its kin call it first; without the sources it does nothing.
COPY lib/ops/prepare.mjs lib/ops/
COPY --from=build /app/dist dist
USER 1000:1000
EXPOSE 3228
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10m --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3228}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/lib/main.js"]
