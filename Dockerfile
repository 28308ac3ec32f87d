# syntax=docker/dockerfile:1
# The service in a container: docs/deploying.md describes how to run it.

FROM node:20-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund && npm run build

FROM node:20-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/recto/package.json packages/recto/
# Everything was built in the stage before.
RUN npm pkg delete scripts.prepare
# Brings the runtime too: Bun is one of the packages. It lies there twice. Two packages are there for their types alone.
RUN npm ci --omit=dev --workspace=recto --no-audit --no-fund \
    && rm -r node_modules/bun/bin/bunx.exe node_modules/.bin/bunx node_modules/kysely node_modules/typebox \
    && install --directory --mode=0700 /volumes/data

# The C library and nothing to log in with: no shell, no package manager.
FROM gcr.io/distroless/cc-debian12:nonroot
WORKDIR /app
COPY --from=packages --chown=65532:65532 /volumes /
COPY --from=packages /app/node_modules node_modules
COPY --from=build /source/packages/recto/dist packages/recto/dist
COPY --from=build /source/packages/recto/package.json /source/packages/recto/LICENSE /source/packages/recto/THIRD-PARTY-LICENSES.md packages/recto/
COPY examples/magazine/content-types content-types
ENV RECTO_HOST=0.0.0.0 \
    RECTO_PORT=9898 \
    RECTO_DATA_DIR=/data \
    RECTO_CONTENT_TYPES_DIR=/app/content-types
USER 65532:65532
VOLUME /data
EXPOSE 9898
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["node_modules/.bin/bun", "--eval", "const { ok } = await fetch(`http://127.0.0.1:${process.env.RECTO_PORT}/api/v1/readyz`); process.exit(ok ? 0 : 1)"]
# No shell in between: SIGTERM reaches the service itself, which then ends in order.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node_modules/.bin/bun", "packages/recto/dist/main.js"]
CMD ["start"]
