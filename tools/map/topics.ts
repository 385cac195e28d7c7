export type Topic = {
  readonly about: string;
  /** Markdown; paths in backquotes are checked by `npm run check`. */
  readonly files: string;
  /** Numbers of decision records. */
  readonly decisions?: readonly string[];
};

type TopicGroup = { readonly title: string; readonly topics: readonly Topic[] };

/** Where behaviour that crosses packages is implemented. The map of the code shows it. */
export const TOPICS: readonly TopicGroup[] = [
  {
    title: 'Actions, policies and tools',
    topics: [
      {
        about: 'Lifecycle of a protected action, from request to answer',
        files:
          '`packages/enforcement/src/govern/govern.ts` (decides, records, executes), `packages/enforcement/src/decision/decide.ts` (pure); opened by `packages/operations/src/actions/pipeline/open-pipeline.ts`',
      },
      {
        about: 'Dry runs and simulation',
        files: '`packages/enforcement/src/simulate/`; assumptions about unknown facts: `packages/enforcement/src/supposed/`',
        decisions: ['0042'],
      },
      {
        about: 'Idempotency keys and replayed answers',
        files: '`packages/http/src/calls/idempotent-change.ts`, `packages/postgres/src/change/idempotency.ts`',
        decisions: ['0004'],
      },
      {
        about: 'Explanations: built, stored, read back',
        files: '`packages/enforcement/src/explanation/`, `packages/postgres/src/actions/actions/kept-explanations.ts`',
        decisions: ['0018'],
      },
      {
        about: 'Request hash that binds an approval to one request',
        files: '`packages/enforcement/src/facts/request-hash.ts`, checked by `packages/enforcement/src/stages/11-approval.ts`',
      },
      {
        about: 'Approvals: who may vote, quorum, edit, reassign, questions',
        files:
          '`packages/domain/src/actions/approvals/` (`quorum.ts`, `narrow.ts`), `packages/operations/src/actions/approvals/`, `packages/postgres/src/actions/approvals/votes.ts`',
        decisions: ['0083', '0110', '0111'],
      },
      {
        about: 'Long polling for an approval at the gateway',
        files: '`apps/gateway/src/actions/approvals/own/`',
        decisions: ['0083', '0089'],
      },
      {
        about: 'Policy engine: validate, compile, evaluate',
        files:
          '`packages/policy/src/validate/validate-version.ts`, `packages/policy/src/judge/compile-version.ts`, `packages/policy/src/judge/evaluate.ts`, `packages/policy/src/conditions/`; patterns: `packages/policy/src/values/linear-pattern.ts`',
        decisions: ['0039'],
      },
      {
        about: 'Policy warnings, test coverage, version differences',
        files: '`packages/policy/src/analyse/analyse-version.ts`, `packages/policy/src/trial/`',
        decisions: ['0014', '0117'],
      },
      {
        about: 'Proof of invariants',
        files: '`packages/policy/src/prove/prove-place.ts`, with the SAT solver `packages/solver/src/clauses/satisfy.ts`',
        decisions: ['0015', '0025'],
      },
      {
        about: 'Replay: recorded actions that a policy change would decide differently',
        files: '`packages/policy/src/replay/`, `packages/enforcement/src/replay/`',
        decisions: ['0014'],
      },
      {
        about: 'Cost limits of a decision',
        files: '`packages/policy/src/cost/`, `packages/operations/src/policies/policies/in-force-refusal.ts`',
        decisions: ['0022', '0122'],
      },
      {
        about: 'Masking of secrets in text, events and logs',
        files:
          '`packages/policy/src/masks/` (`mask-secrets.ts` by shape, `mask-members.ts` by name, `mask-paths.ts` by rule); logs: `packages/program/src/log/new-logger.ts`',
      },
      {
        about: 'Parameter schema of a tool, and the HTTP request built from parameters',
        files:
          '`packages/domain/src/tools/schema/`, `packages/domain/src/tools/request/execution-request.ts`; dry call: `apps/control-plane/src/tools/tools/dry-call/`',
      },
      {
        about: 'Execution of a tool call: retries, expected responses',
        files:
          '`apps/gateway/src/actions/execution/` (`make-tries.ts`), `packages/enforcement/src/execution/` (`execute.ts`, `read-answered.ts`), `packages/domain/src/tools/terms/`',
        decisions: ['0080', '0085'],
      },
      {
        about: 'Tool versions, and their effect on rules, tests and approvals',
        files: '`apps/control-plane/src/tools/tools/declaration/`, `packages/domain/src/tools/declaration/change-declaration.ts`',
        decisions: ['0073'],
      },
      {
        about: 'Tool import from OpenAPI, GraphQL and Postman documents',
        files:
          '`packages/domain/src/tools/tool-imports/` (a folder per format, registered in `formats.ts`), `apps/control-plane/src/tools/tool-imports/` (parsed in a worker process)',
        decisions: ['0081', '0099', '0126'],
      },
      {
        about: 'Stored credential: checked, decrypted, added to the request, removed from the response',
        files:
          '`packages/enforcement/src/stages/12-credential.ts`, `packages/keyring/src/sealed/credential-secret.ts`, `packages/egress/src/requests/prove-request.ts`, `packages/domain/src/credentials/` (`place-secret.ts`, `hide-secret.ts`)',
        decisions: ['0076', '0098', '0105', '0106'],
      },
      {
        about: 'Test call of a credential',
        files: '`apps/control-plane/src/credentials/credentials/test-calls/`, counted in `packages/postgres/src/credentials/test-calls.ts`',
        decisions: ['0088'],
      },
      {
        about: 'OAuth access tokens: obtained, refreshed once, stored',
        files:
          '`packages/operations/src/credentials/tokens/` (`have-access-token.ts`, `refresh-credential.ts`), `packages/egress/src/tokens/`, `packages/postgres/src/credentials/tokens/`; callers: `apps/gateway/src/actions/execution/access-tokens.ts`, `apps/control-plane/src/jobs/refresh-credentials.ts`',
        decisions: ['0077'],
      },
      {
        about: 'Currency conversion',
        files: '`packages/domain/src/money/fx-rates/convert.ts`, used by `packages/enforcement/src/stages/08-currency.ts`',
        decisions: ['0013'],
      },
    ],
  },
  {
    title: 'Agents and people',
    topics: [
      {
        about: 'Agent sign-in: assertion, checks, nonce, token',
        files:
          '`apps/gateway/src/agents/identity/sign-in/exchange-assertion.ts`, `packages/domain/src/agents/identity/check-assertion.ts`, `packages/keyring/src/tokens/verify-assertion.ts`; nonces: `packages/postgres/src/recorder/begin-sessions.ts`; reasons of refusals: `apps/gateway/src/agents/identity/kept/sign-in-outcomes.ts`',
        decisions: ['0032'],
      },
      {
        about: 'Bulk changes and expiry of agents',
        files:
          '`packages/operations/src/agents/fleet/` (`bulk-change-agents.ts`), `packages/postgres/src/agents/fleet/`, `apps/control-plane/src/agents/fleet/`; `packages/domain/src/agents/agents/status-at.ts`',
        decisions: ['0082', '0109'],
      },
      {
        about: 'Delegation rules: narrower than, intersection, chain check, effective authority',
        files:
          '`packages/domain/src/agents/delegations/`: `attenuation.ts`, `meet.ts`, `walk-chain.ts`, `chain-standing.ts`, `request-fault.ts`, `effective-authority.ts`; loaded by `packages/postgres/src/governance/read-chains.ts`; stage `packages/enforcement/src/stages/07-authority.ts`',
        decisions: ['0010', '0011', '0027', '0127'],
      },
      {
        about: 'Creating, reducing and revoking delegations',
        files:
          '`packages/operations/src/agents/delegations/`; tree locks: `packages/postgres/src/agents/delegations/`; plans: `packages/domain/src/agents/delegations/plan-delegation.ts`, `packages/domain/src/agents/delegations/chains-to-narrow.ts`',
        decisions: ['0011', '0118'],
      },
      {
        about: 'Counted limits and ceilings',
        files:
          '`packages/enforcement/src/facts/claims.ts`, `packages/postgres/src/recorder/record-claims.ts`, function `svc_take_claims` (`packages/postgres/migrations/0008_counters.sql`, changed by later ones)',
        decisions: ['0012', '0122'],
      },
      {
        about: 'Which role or permission a person may grant',
        files: '`packages/domain/src/people/members/grant.ts`',
        decisions: ['0055'],
      },
      {
        about: 'Account takeover when an address is verified; guess limits',
        files: '`packages/operations/src/people/members/claim-account.ts`, `packages/operations/src/people/auth/guesses/`',
        decisions: ['0059'],
      },
      {
        about: 'Known browsers, so that an attacker cannot lock a user out',
        files:
          '`packages/keyring/src/tokens/device-token.ts`, `packages/operations/src/people/auth/guesses/known-devices.ts`, `apps/control-plane/src/people/auth/sign-in/known-browser.ts`',
        decisions: ['0074'],
      },
      {
        about: 'Sessions of people: opened, ended, stored in a browser cookie',
        files:
          '`packages/operations/src/people/auth/open-session.ts`, `packages/postgres/src/people/auth/session-end.ts`, `packages/http/src/browser/`',
        decisions: ['0054'],
      },
      {
        about: 'Constant response times against account enumeration',
        files: '`apps/control-plane/src/people/even-time/`',
        decisions: ['0060'],
      },
      {
        about: 'Single sign-on (OpenID Connect, SAML) and SCIM',
        files:
          '`apps/control-plane/src/people/sso/` (`oidc/`, `saml/`), `apps/control-plane/src/people/scim/`; rules: `packages/domain/src/people/sso/`, `packages/domain/src/people/scim/`',
        decisions: ['0056', '0058', '0124', '0148'],
      },
      {
        about: 'Passwords, TOTP, passkeys, tokens, JWS: the cryptography',
        files:
          '`packages/keyring/src/`: `codes/`, `factors/` (`totp.ts`), `passwords/` (`guessable-password.ts`), `public-keys/`, `tokens/` (`compact-jws.ts`), `bytes/` (digests, constant-time comparison)',
        decisions: ['0052', '0053'],
      },
      {
        about: 'Sealed secrets: envelope encryption, bound to their row',
        files: '`packages/keyring/src/sealed/` (`envelope.ts`, one file per kind of secret)',
        decisions: ['0106'],
      },
      { about: 'Canonical JSON', files: '`packages/domain/src/events/canonical-json.ts`' },
      {
        about: 'Mail: outbox, templates, sending',
        files:
          '`packages/operations/src/people/mail/post-mail.ts`, `packages/postgres/src/people/mail/enqueue-mail.ts`, `apps/control-plane/src/people/mail/sending/`, `packages/mail/src/templates/`, `packages/mail/src/transports/`',
        decisions: ['0051', '0121'],
      },
    ],
  },
  {
    title: 'Events and the audit record',
    topics: [
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
        about: 'External anchors of checkpoints, witnesses, logs on hold',
        files:
          '`apps/worker/src/events/audit-log/`, `packages/keyring/src/log/cosignature.ts`, `packages/postgres/src/audit/anchors/`, `packages/operations/src/events/audit-log/plan-lift.ts`',
        decisions: ['0067'],
      },
      {
        about: 'Retention and partitions of events',
        files:
          '`packages/postgres/src/audit/partitions/`, `packages/postgres/src/audit/retention/`, `packages/operations/src/events/audit-retention/`, `apps/control-plane/src/jobs/remove-audit-events.ts`',
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
          '`packages/domain/src/events/notifications/` (`sources.ts`, `kinds.ts`, `sentences.ts`), `apps/worker/src/feed/notice-events.ts`, `apps/control-plane/src/jobs/notifications/`',
        decisions: ['0070'],
      },
      {
        about: 'Posts to chat channels',
        files:
          '`packages/domain/src/events/notification-channels/`, `packages/operations/src/events/notification-channels/`, `apps/worker/src/events/notification-channels/`',
        decisions: ['0087', '0094'],
      },
    ],
  },
  {
    title: 'Servers, limits and storage',
    topics: [
      {
        about: 'Checks before a handler: authentication, rate limit, networks, permissions',
        files:
          '`packages/http/src/admission/`: `admit.ts` (the order), `authenticate.ts`, `rate-limit.ts`, `take-bytes.ts`, `networks.ts`, `standing.ts` (archived or deleted organization), `authorize.ts`',
        decisions: ['0048', '0057'],
      },
      {
        about: 'Connection limits and load shedding',
        files:
          '`packages/http/src/connections/`, `packages/http/src/turns/`; expensive decisions: `packages/enforcement/src/govern/decide-in-turn.ts`',
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
          '`packages/http/src/plane/new-startup.ts`, `packages/http/src/plane/open-stand-in.ts`; launcher: `apps/launcher/src/database/until-database-answers.ts`, `apps/launcher/src/database/keep-database.ts`',
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
          '`packages/egress/src/connection/` (`send-request.ts`, `kept-agents.ts`, `secure-agent.ts`), `packages/egress/src/answers/is-dear.ts` (read in a worker thread)',
        decisions: ['0020', '0079', '0115'],
      },
      {
        about: 'Fair queues between organizations',
        files:
          '`packages/turns/src/fair-queue.ts`; database: `packages/postgres/src/connection/fair-shares.ts`; HTTP: `packages/http/src/turns/`; egress: `packages/egress/src/shares/`, `packages/egress/src/new-attempt.ts`; cryptography: `packages/keyring/src/lanes/`',
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
          '`packages/sdk/src/`: `governance.ts`, `act/`, `guard/`, `identity/`, `webhooks/` (`verify-webhook.ts`), `exchange/` (`call-gateway.ts`, `retrying.ts`, `token-holder.ts`, `service-clock.ts`), `wire/` (`errors.ts`; `wire-format.ts` is generated by `npm run sdk:words`)',
        decisions: ['0034', '0089'],
      },
      {
        about: 'Typed client of both servers',
        files:
          '`packages/client/src/`: `client.ts`, `caller.ts`, `transports/`, `list-all.ts`, `read-stream.ts`; `operations.ts` is generated by `npm run client:operations`',
      },
      {
        about: 'Console: routes, menu, session, data access',
        files:
          '`packages/contract/src/tables/console-routes.ts`, `apps/console/web/routes.ts`, `apps/console/web/layout/`, `apps/console/web/data/`, `apps/console/web/design/`',
        decisions: ['0054', '0062'],
      },
    ],
  },
];
