# Three stages: packages and build with everything, packages for running only, and the image that runs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.base.json tsconfig.json vite.chunk-loader.ts vite.chunks.ts vite.compress.ts vite.config.ts vite.server.config.ts vite.site.ts ./
COPY shared ./shared
COPY client ./client
COPY server ./server
RUN npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The compiler comes along as somebody's optional peer; nothing runs it.
RUN npm ci --ignore-scripts --omit=dev && rm -r node_modules/typescript

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=5000 METRICS_PORT=9464 DATA_DIR=/data
# PostgreSQL's own pg_dump for the backups, from the project's repository: Debian's is older than the server. Where that repository
# cannot be reached, --build-arg POSTGRES_CLIENT=off leaves it out, and the one that comes with Lanewire dumps up to 256 MiB.
ARG POSTGRES_CLIENT=on
RUN [ "$POSTGRES_CLIENT" = off ] || { \
    apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates postgresql-common \
    && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
    && apt-get install -y --no-install-recommends postgresql-client-18 \
    && rm -rf /var/lib/apt/lists/*; \
  } || { echo "PostgreSQL's repository cannot be reached: --build-arg POSTGRES_CLIENT=off builds without its pg_dump" >&2; exit 1; }
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
USER node
VOLUME /data
EXPOSE 5000 9464
# A process of every role answers there.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# exec form: node is process 1 and hears SIGTERM itself.
CMD ["node", "--enable-source-maps", "--v8-pool-size=1", "dist/server/main.js"]
