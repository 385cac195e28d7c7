import type { Topic } from './topic.ts';

export const EVENT_TOPICS: readonly Topic[] = [
  {
    about: 'Writing audit events, and reading them as an ordered feed',
    files: '`packages/postgres/src/audit/`: `append-events.ts`, `feed-leaves.ts` (order and hashes), `read-whole.ts` (whole events)',
    decisions: ['0047', '0132'],
  },
  {
    about: 'Merkle log: sealing, proofs, receipts, verification',
    files:
      '`apps/worker/src/feed/seal-events.ts`, `packages/keyring/src/log/` (`merkle.ts`, `signed-note.ts`, `receipt.ts`), `packages/postgres/src/audit/log/`, `packages/operations/src/events/audit-log/` (`verify-log.ts`, `prove-event.ts`); offline: `verifier/verify.mjs`',
    decisions: ['0063'],
  },
  {
    about: 'Authentication of events by their writers (MAC), and rejected events',
    files:
      '`packages/keyring/src/log/event-authenticator.ts`, `packages/postgres/src/connection/event-authenticator.ts`, `packages/postgres/src/audit/` (`row-mac.ts`, `keep-authentic.ts`, `log/rejections.ts`), `packages/postgres/src/migrate/adopt-events.ts`',
    decisions: ['0143'],
  },
  {
    about: 'Digests of the records that events change',
    files:
      '`packages/domain/src/events/audit-log/record-kinds/` (a kind is a file, listed in `record-kinds.ts` beside it), `packages/postgres/src/recorder/digest-events.ts`, `packages/operations/src/events/audit-log/` (`digest-records.ts`, `check-records.ts`), `verifier/verify.mjs`',
    decisions: ['0140'],
  },
  {
    about: 'External anchors of checkpoints, witnesses, logs on hold',
    files:
      '`apps/worker/src/events/audit-log/`, `packages/keyring/src/log/cosignature.ts`, `packages/postgres/src/audit/anchors/`, `packages/operations/src/events/audit-log/plan-lift.ts`',
    decisions: ['0067'],
  },
  {
    about: 'Retention and partitions of events',
    files:
      '`packages/postgres/src/audit/partitions/`, `packages/postgres/src/audit/retention/`, `packages/operations/src/events/audit-retention/`, `apps/worker/src/jobs/remove-audit-events.ts`',
    decisions: ['0068', '0128'],
  },
  {
    about: 'Search of events, and saved searches',
    files:
      '`packages/postgres/src/events/search/`, `packages/domain/src/events/audit-searches/`, `packages/postgres/src/events/audit-searches.ts`; summaries: `apps/worker/src/events/search/`',
    decisions: ['0069'],
  },
  {
    about: 'Exports: JSON Lines, CSV, OCSF',
    files:
      '`apps/control-plane/src/events/audit-exports/files/` (`forms.ts`, `write-file.ts`); lines: `packages/domain/src/events/audit-events/` (`csv-line.ts`, `ocsf-event.ts`)',
    decisions: ['0066'],
  },
  {
    about: 'Event stream (server-sent events) and its resumption',
    files: '`apps/control-plane/src/events/audit-events/stream-events.ts`, `packages/http/src/wires/stream.ts`',
    decisions: ['0065'],
  },
  {
    about: 'Compliance report',
    files:
      '`packages/contract/src/tables/compliance/`, `packages/postgres/src/events/compliance/`, `packages/domain/src/events/compliance/`',
    decisions: ['0071'],
  },
  {
    about: 'Webhooks: signature, retries, fairness between receivers',
    files:
      '`packages/domain/src/events/webhooks/` (`backoff.ts`, `share-slots.ts`), `packages/keyring/src/tokens/webhook-secret.ts`; created by `apps/worker/src/feed/fan-out-webhooks.ts`, sent by `apps/worker/src/events/webhooks/sending/` (`serve-receivers.ts`, `send-delivery.ts`)',
    decisions: ['0064', '0072', '0120'],
  },
  {
    about: 'Notifications: who receives which, and how often',
    files:
      '`packages/domain/src/events/notifications/` (`sources.ts`, `kinds.ts`, `sentences.ts`), `apps/worker/src/feed/notice-events.ts`, `apps/worker/src/jobs/notifications/`',
    decisions: ['0070'],
  },
  {
    about: 'Posts to chat channels',
    files:
      '`packages/domain/src/events/notification-channels/`, `packages/operations/src/events/notification-channels/`, `apps/worker/src/events/notification-channels/`',
    decisions: ['0087', '0094'],
  },
];
