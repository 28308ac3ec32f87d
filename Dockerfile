# syntax=docker/dockerfile:1
# The service in a container: docs/scaling.md tells how to run it.

FROM node:20-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/recto/package.json packages/recto/
COPY examples/magazine/package.json examples/magazine/
# The admin is built in a stage of its own. This one has no tools for it.
RUN npm pkg delete scripts.prepare
# Brings the runtime too: Bun is one of the packages. It lies there twice.
RUN npm ci --omit=dev --workspace=recto --no-audit --no-fund \
    && rm node_modules/bun/bin/bunx.exe node_modules/.bin/bunx

FROM node:20-slim AS admin
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
COPY packages/client packages/client
COPY packages/admin packages/admin
RUN npm pkg delete scripts.prepare \
    && npm ci --workspace=@recto/admin --ignore-scripts --no-audit --no-fund \
    && npm run build --workspace=@recto/admin

FROM debian:bookworm-slim
RUN groupadd --system --gid 10001 recto \
    && useradd --system --uid 10001 --gid recto --home-dir /app --shell /usr/sbin/nologin recto \
    && install --directory --owner=recto --group=recto --mode=0700 /data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY packages/recto packages/recto
COPY --from=admin /app/packages/admin/dist packages/admin/dist
COPY examples/magazine/content-types content-types
ENV RECTO_HOST=0.0.0.0 \
    RECTO_PORT=9898 \
    RECTO_DATA_DIR=/data \
    RECTO_CONTENT_TYPES_DIR=/app/content-types
USER recto
VOLUME /data
EXPOSE 9898
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["node_modules/.bin/bun", "--eval", "const { ok } = await fetch(`http://127.0.0.1:${process.env.RECTO_PORT}/api/v1/readyz`); process.exit(ok ? 0 : 1)"]
# No shell in between: SIGTERM reaches the service itself, which then ends in order.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node_modules/.bin/bun", "packages/recto/src/cli/main.ts"]
CMD ["start"]
