# syntax=docker/dockerfile:1

# Node installs and is left behind. Pinned by tag: to pin the bytes, add the digest that `docker pull` prints.
FROM node:24.11.1-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

# What goes into the image, laid out as it will be there.
COPY bunfig.toml LICENSE ./
COPY src src
RUN set -eu; \
    mkdir -p /image/usr/local/bin /image/app /image/tmp /owned/data; \
    chmod 1777 /image/tmp; \
    chmod 700 /owned/data; \
    cp node_modules/bun/bin/bun.exe /image/usr/local/bin/bun; \
    # Bun needs the C library and nothing else: no shell, no package manager, no Node.
    ldd /image/usr/local/bin/bun | grep -o '/[^ ]*' | xargs cp --parents --dereference --target-directory=/image; \
    rm -r node_modules/bun node_modules/@oven node_modules/.bin; \
    cp -r . /image/app; \
    # A file that the kernel can start by itself, so that `docker exec CONTAINER petstore keys create …` works.
    printf '#!/usr/local/bin/bun\nawait import("/app/src/main.ts");\n' > /image/usr/local/bin/petstore; \
    chmod 755 /image/usr/local/bin/petstore

FROM scratch
LABEL org.opencontainers.image.title="petstore" \
      org.opencontainers.image.description="A pet store service: durable, authenticated, exact, fast. One command to run." \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /image /
COPY --from=build --chown=10001:10001 /owned /
WORKDIR /app
ENV PATH=/usr/local/bin \
    PETSTORE_HOST=0.0.0.0 \
    PETSTORE_DATA_DIR=/data
# By number, so that an orchestrator can see that it is not root.
USER 10001:10001
VOLUME /data
EXPOSE 8080 8081 8082
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["petstore", "healthcheck"]
ENTRYPOINT ["petstore"]
CMD ["serve"]
