# Build stage; the image has no Node.
FROM node:24.11.1-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY exact-json/package.json exact-json/
COPY client/package.json client/
COPY scripts/prepare.js scripts/
RUN npm ci
COPY bunfig.toml tsconfig.json LICENSE Dockerfile compose.yaml compose.postgres.yaml ./
COPY bin bin
COPY client client
COPY deploy deploy
COPY exact-json exact-json
COPY docs/guides docs/guides
COPY examples examples
COPY openapi openapi
COPY scripts scripts
COPY src src
# /image is the root of the image: one executable, and the C library that it needs.
RUN set -eu; \
    npm run build; \
    mkdir -p /image/usr/local/bin /image/tmp /owned/data; \
    chmod 1777 /image/tmp; \
    chmod 700 /owned/data; \
    cp dist/petstore-* /image/usr/local/bin/petstore; \
    cp dist/LICENSES.txt /image/; \
    libraries=$(ldd /image/usr/local/bin/petstore | grep -o '/[^ ]*'); \
    cp --parents --dereference --target-directory=/image $libraries; \
    node bin/bun.js scripts/image-sbom.ts dist/petstore.cdx.json $libraries > /image/petstore.cdx.json

FROM scratch
LABEL org.opencontainers.image.title="petstore" \
      org.opencontainers.image.description="A pet store service: durable, authenticated, exact, fast. One command to run." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.source="https://github.com/OWNER/petstore"
COPY --from=build /image /
COPY --from=build --chown=10001:10001 /owned /
WORKDIR /data
# HOME is writable in a read-only container, too: `petstore demo` and `petstore login` store their login below it.
# The runtime reads the third and the fourth at its start, so the program cannot set them (docs/guides/scale.md).
ENV PATH=/usr/local/bin \
    HOME=/tmp \
    MIMALLOC_PURGE_DELAY=10000 \
    BUN_CONFIG_DNS_TIME_TO_LIVE_SECONDS=1 \
    PETSTORE_HOST=0.0.0.0 \
    PETSTORE_DATA_DIR=/data
# Numeric, so that an orchestrator can verify that it is not root.
USER 10001:10001
VOLUME /data
EXPOSE 8080 8081 8082
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["petstore", "healthcheck"]
ENTRYPOINT ["petstore"]
CMD ["serve"]
