# Three stages: packages and build with everything, packages for running only, and the image that runs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json vite.chunks.ts vite.compress.ts vite.config.ts vite.server.config.ts vite.site.ts ./
COPY shared ./shared
COPY client ./client
COPY server ./server
RUN npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=5000 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
USER node
VOLUME /data
EXPOSE 5000
# exec form: node is process 1 and hears SIGTERM itself.
CMD ["node", "--enable-source-maps", "dist/server/main.js"]
