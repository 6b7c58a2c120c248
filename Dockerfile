# Three stages: the build with all packages, the packages needed at run time, and the final image.
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
# npm installs the compiler as an optional peer dependency, but nothing uses it at run time.
RUN npm ci --ignore-scripts --omit=dev && rm -r node_modules/typescript

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=5000 METRICS_PORT=9464 DATA_DIR=/data
# pg_dump for backups, from PostgreSQL's repository, because Debian's version is older than the server. If that repository is
# unreachable, build with --build-arg POSTGRES_CLIENT=off. The pg_dump bundled with Lanewire then dumps up to 256 MiB.
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
# Every role answers on this port.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Exec form, so that node is process 1 and receives SIGTERM.
CMD ["node", "--enable-source-maps", "--v8-pool-size=1", "dist/server/main.js"]
