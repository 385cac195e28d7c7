import type { Topic } from './topic.ts';

export const SERVER_TOPICS: readonly Topic[] = [
  {
    about: 'Checks before a handler: authentication, rate limit, networks, permissions',
    files:
      '`packages/http/src/admission/`: `admit.ts` (the order), `authenticate.ts`, `rate-limit.ts`, `take-bytes.ts`, `networks.ts`, `standing.ts` (archived or deleted organization), `authorize.ts`',
    decisions: ['0048', '0057'],
  },
  {
    about: 'Connection limits and load shedding',
    files:
      '`packages/http/src/connections/`, `packages/fairness/src/quantum/`; expensive decisions: `packages/enforcement/src/govern/decide-in-turn.ts`',
    decisions: ['0021', '0116', '0133'],
  },
  {
    about: 'Lists, cursors, request bodies',
    files: '`packages/http/src/lists/`, `packages/keyring/src/tokens/signed-cursor.ts`, `packages/http/src/bodies/`',
  },
  {
    about: 'OpenAPI documents, error pages, the page at `/`',
    files: '`packages/http/src/documents/` (`openapi.ts`)',
    decisions: ['0030'],
  },
  {
    about: 'Metrics and traces',
    files:
      '`packages/http/src/watch/` (`part-metrics.ts`), `packages/program/src/metrics/` (`serve-metrics.ts`), `packages/program/src/tracing/`',
    decisions: ['0045'],
  },
  {
    about: 'Clock: database time, clock steps, wrong clocks',
    files: '`packages/program/src/clock/`, `packages/http/src/clock/`',
    decisions: ['0031', '0154'],
  },
  {
    about: 'Start while the database is unavailable',
    files:
      '`packages/http/src/plane/new-startup.ts`, `packages/http/src/plane/open-stand-in.ts`; launcher: `apps/launcher/src/database/until-database-answers.ts`, `apps/launcher/src/database/supervise-database.ts`',
    decisions: ['0153'],
  },
  {
    about: 'Rate-limit budget of emergency operations',
    files:
      "`budget: 'emergency'` and `'sign_in'` (`packages/contract/src/rows/budget.ts`), counted in `packages/http/src/admission/rate-limit.ts`, enforced by `packages/http/src/plane/row-fault.ts`",
    decisions: ['0153'],
  },
  {
    about: 'DNS resolution and allowed addresses (SSRF protection)',
    files: '`packages/egress/src/names/`: `resolve-host.ts`, `address-rules.ts`',
  },
  {
    about: 'Outbound HTTP: DNS pinning, connection reuse, TLS, large responses',
    files:
      '`packages/egress/src/connection/` (`send-request.ts`, `kept-agents.ts`, `secure-agent.ts`), `packages/egress/src/answers/is-slow-to-mask.ts` (read in a worker thread)',
    decisions: ['0020', '0079', '0115'],
  },
  {
    about: 'Fair queues between organizations',
    files:
      '`packages/fairness/src/`: `queue/fair-queue.ts`; database: `semaphore/fair-shares.ts`; HTTP: `quantum/`, `semaphore/place-semaphore.ts`; egress: `semaphore/slot-semaphore.ts`, `semaphore/byte-shares.ts`, `packages/egress/src/new-attempt.ts`; cryptography: `packages/keyring/src/lanes/`',
    decisions: ['0020', '0023', '0044'],
  },
  {
    about: 'Worker processes for expensive work of the control plane',
    files: '`apps/control-plane/src/aside/`',
    decisions: ['0081'],
  },
  {
    about: 'Connections, tenant context and transactions of SQL statements',
    files: '`packages/postgres/src/connection/`; for changes `packages/postgres/src/change/`',
    decisions: ['0023', '0028'],
  },
  {
    about: 'Decision snapshots and their cache',
    files: '`packages/postgres/src/governance/` (`load-agent.ts`, `load-environment.ts`, `snapshot-cache.ts`)',
    decisions: ['0001', '0129', '0139'],
  },
  {
    about: 'Batched recording of decisions (group commit)',
    files: '`packages/postgres/src/recorder/` (`record-batch.ts`, `record-alone.ts`, `batches/`)',
    decisions: ['0019', '0132'],
  },
  {
    about: 'Embedded database; migrations and checks at start',
    files: '`packages/database-server/src/start-database-server.ts`, `packages/postgres/src/migrate/`',
    decisions: ['0028', '0090', '0096', '0131'],
  },
  {
    about: 'Backup and restore',
    files: '`packages/postgres/src/backup/` (data), `apps/launcher/src/backup/` (file)',
  },
  {
    about: 'Master key, installation key, data keys, rotation, key management service',
    files:
      '`packages/operations/src/service/keys/` (`data-key-of.ts`), `packages/keyring/src/sealed/installation-key.ts`, `packages/postgres/src/migrate/installation-keys.ts`, `apps/launcher/src/admin/rewrap/`, `packages/program/src/keys/run-key-command.ts`',
    decisions: ['0078', '0093'],
  },
  {
    about: 'Emergency controls: preview, confirmation, blocked destinations',
    files:
      '`packages/operations/src/incidents/emergency/execute-control.ts`, `packages/domain/src/incidents/emergency/`, `packages/enforcement/src/stages/06-destination.ts`, `packages/egress/src/new-attempt.ts`',
    decisions: ['0195'],
  },
  {
    about: 'Emergency stop, and help for locked-out people by the operator',
    files:
      '`packages/operations/src/incidents/emergency-stop.ts`, `apps/launcher/src/break-glass/`; `packages/operations/src/people/auth/help-by-operator.ts`, `apps/launcher/src/admin/`',
    decisions: ['0024', '0153'],
  },
  {
    about: 'Bundling, starting and restarting programs',
    files: '`apps/launcher/src/bundle/`, `apps/launcher/src/planes/` (`start-plane.ts`, `keep-plane.ts`)',
    decisions: ['0130'],
  },
  {
    about: 'SDK for agents',
    files:
      '`packages/sdk/src/`: `governance.ts`, `act/`, `guard/`, `identity/`, `webhooks/` (`verify-webhook.ts`), `exchange/` (`call-gateway.ts`, `retrying.ts`, `token-holder.ts`, `service-clock.ts`), `wire/` (`errors.ts`; `wire-format.ts` is generated by `npm run generate -- sdk:words`)',
    decisions: ['0034', '0089'],
  },
  {
    about: 'Typed client of both servers',
    files:
      '`packages/client/src/`: `client.ts`, `caller.ts`, `transports/`, `list-all.ts`, `read-stream.ts`; `operations.ts` is generated by `npm run generate -- client:operations`',
  },
  {
    about: 'Console: routes, menu, session, data access',
    files:
      '`packages/contract/src/tables/console-routes.ts`, `apps/console/web/routes.ts`, `apps/console/web/layout/`, `apps/console/web/data/`, `apps/console/web/design/`',
    decisions: ['0054', '0062'],
  },
];
