/** Test files that try the same kind of thing on many, of which a run of everything takes some and `npm run test:long` takes all. */
export type Breadth = {
  /** How many of them `npm test` runs; which ones, the seed of the run says. */
  readonly short: number;
  /** What stays guards a change well enough, and why. */
  readonly why: string;
  readonly files: readonly string[];
};

/**
 * What `npm test` tries in part, by what it tries. A part of a path runs what it names, whatever stands here: `npm test -- pages`. Tests of a
 * file that is not here leave out what is dear by `longOnly` and `someOf`.
 */
export const BREADTHS: Readonly<Record<string, Breadth>> = {
  'pages in a browser': {
    short: 1,
    why: 'pages.test.ts signs in and out in a browser and lets axe look each time; the frame and the fields of all pages are the same',
    files: [
      'e2e/pages/credential-pages.test.ts',
      'e2e/pages/own-pages.test.ts',
      'e2e/pages/proofs.test.ts',
      'e2e/pages/record-pages.test.ts',
    ],
  },
  'guides played as they are typed': {
    short: 1,
    why: 'the README is played each time; each guide begins as it does and calls endpoints that have their own tests',
    files: [
      'e2e/documents/guides-agents.test.ts',
      'e2e/documents/guides-events.test.ts',
      'e2e/documents/guides-operating.test.ts',
      'e2e/documents/guides-people.test.ts',
      'e2e/documents/guides-tools.test.ts',
    ],
  },
  'documents compared with planes': {
    short: 1,
    why: 'what they are made of, the rows and the table of settings, is tried each time; a plane is asked for them here',
    files: ['e2e/documents/openapi.test.ts', 'e2e/documents/settings-table.test.ts'],
  },
  'commands of whoever runs the machine': {
    short: 1,
    why: 'a start is tried each time; a command opens the same database by the same keys, and calls use cases with tests of their own',
    files: [
      'apps/launcher/src/admin/rewrap/broken-off.test.ts',
      'apps/launcher/src/admin/rewrap/rewrap.test.ts',
      'apps/launcher/src/backup.test.ts',
      'apps/launcher/src/break-glass.test.ts',
      'apps/launcher/src/commands.test.ts',
      'apps/launcher/src/demo.test.ts',
      'apps/launcher/src/demo/seed/seed-demo.test.ts',
      'apps/launcher/src/outbox.test.ts',
      'e2e/promises/admin.test.ts',
      'e2e/promises/break-glass.test.ts',
    ],
  },
  'ways to install': {
    short: 1,
    why: 'a start on an embedded database is tried each time; other servers, neighbours, packages and bundles differ by what comes before it',
    files: [
      'apps/launcher/src/bundles/build-bundles.test.ts',
      'apps/launcher/src/database/managed-database.test.ts',
      'apps/launcher/src/two-installations.test.ts',
      'packages/database-server/src/binaries/place-binaries.test.ts',
      'packages/database-server/src/start-database-server.test.ts',
      'packages/postgres/src/migrate/upgrade.test.ts',
      'packages/sdk/src/package.test.ts',
      'packages/sdk/src/planes.test.ts',
    ],
  },
  'tools of the developers': {
    short: 1,
    why: 'whoever runs these tests has installed, planned and leased by them; what a bench measures is tried by no test',
    files: [
      'packages/testing/src/planes/lease/lease-planes.test.ts',
      'packages/testing/src/planes/start-planes.test.ts',
      'tools/bench/bench.test.ts',
      'tools/install-if-needed.test.ts',
      'tools/tests/second-chance.test.ts',
      'tools/where.test.ts',
    ],
  },
  'policy engines side by side': {
    short: 0,
    why: 'it asks whether the bench against other engines still compares the same; evaluation has its cases and its own bounds of time',
    files: ['tools/bench/policy/policy-bench.test.ts'],
  },
  'sweeps over all operations': {
    short: 1,
    why: 'rows.test.ts walks credentials, scopes, tenants and bad input over every row each time; a row is also tried beside its operation',
    files: [
      'e2e/bad-input/bodies.test.ts',
      'e2e/bad-input/spellings.test.ts',
      'e2e/rows/events/secrets.test.ts',
      'e2e/rows/lists.test.ts',
      'e2e/rows/write-nothing.test.ts',
      'e2e/sweeps/permission-sweep.test.ts',
      'e2e/sweeps/tenant-sweep.test.ts',
    ],
  },
  'bad input by its kind': {
    short: 1,
    why: 'one validator reads every body, and what it refuses is tried beside it and over every row',
    files: [
      'e2e/bad-input/assertions.test.ts',
      'e2e/bad-input/ids.test.ts',
      'e2e/bad-input/keys.test.ts',
      'e2e/bad-input/policies-and-schemas.test.ts',
      'e2e/bad-input/policies.test.ts',
      'e2e/bad-input/transport.test.ts',
    ],
  },
  'attacks on the way in and out': {
    short: 1,
    why: 'approvals, races, dodged rules, masks, roles, secrets and canaries are attacked each time; what these attack has tests of its own',
    files: [
      'apps/gateway/src/agents/identity/kept/sign-in-outcomes.test.ts',
      'apps/gateway/src/agents/identity/strangers.test.ts',
      'e2e/attacks/delegations.test.ts',
      'e2e/attacks/door.test.ts',
      'e2e/attacks/egress.test.ts',
      'e2e/attacks/guessing.test.ts',
      'e2e/attacks/held-back.test.ts',
      'e2e/attacks/policy-promises.test.ts',
      'e2e/attacks/scopes.test.ts',
      'e2e/attacks/timing.test.ts',
    ],
  },
  'strange circumstances and kills in the middle of work': {
    short: 1,
    why: 'that nothing runs twice, stale or beyond a count is tried each time, as are kills of a gateway and of PostgreSQL under load',
    files: [
      'e2e/crash/bulk.test.ts',
      'e2e/crash/channel-posts.test.ts',
      'e2e/crash/outcomes.test.ts',
      'e2e/crash/rotation.test.ts',
      'e2e/promises/connections.test.ts',
      'e2e/promises/long-calls.test.ts',
      'e2e/promises/wrong-clocks.test.ts',
      'e2e/timing/timing.test.ts',
    ],
  },
  'chains of delegations under change': {
    short: 1,
    why: 'no-stale-allow.test.ts asks at the end of a chain each time, and what is made, reduced and ended is tried beside each operation',
    files: ['e2e/promises/delegation-cascade.test.ts', 'e2e/promises/delegation-races.test.ts'],
  },
  'what logs, metrics and traces say': {
    short: 1,
    why: 'the log, its lines and what a metric is counted by are tried each time where they are written',
    files: [
      'e2e/fail-closed/log-lines.test.ts',
      'e2e/promises/log-ids.test.ts',
      'e2e/promises/metrics.test.ts',
      'e2e/promises/refused-in-log.test.ts',
      'e2e/promises/traces.test.ts',
    ],
  },
  'the record over time, and whoever lies about it': {
    short: 1,
    why: 'sealing and searching events are tried each time; these hold, remove, export, stream, sum up and forge what was sealed',
    files: [
      'apps/control-plane/src/events/audit-events/stream-ends.test.ts',
      'apps/control-plane/src/events/audit-events/stream-events.test.ts',
      'apps/control-plane/src/events/audit-exports/export-audit-events.test.ts',
      'apps/control-plane/src/events/audit-log/audit-log.test.ts',
      'apps/control-plane/src/events/audit-retention/audit-retention.test.ts',
      'apps/control-plane/src/events/compliance/get-compliance-report.test.ts',
      'apps/worker/src/events/search/sum-up-events.test.ts',
      'e2e/verifier/hostile-exports.test.ts',
      'e2e/verifier/verifier.test.ts',
    ],
  },
  'deliveries by a worker': {
    short: 1,
    why: 'rows of deliveries and their leases have tests beside their SQL; each of these lets the same loop send',
    files: [
      'apps/worker/src/events/audit-log/anchoring.test.ts',
      'apps/worker/src/events/notification-channels/leases.test.ts',
      'apps/worker/src/events/notification-channels/notification-channels.test.ts',
      'apps/worker/src/events/webhooks/serve-stretches.test.ts',
      'apps/worker/src/events/webhooks/webhooks.test.ts',
      'apps/worker/src/feed/run-consumers.test.ts',
    ],
  },
  'dear questions asked aside': {
    short: 1,
    why: 'what a replay, a proof and an analysis answer is tried beside their rules; these ask whether others wait for it',
    files: [
      'apps/control-plane/src/policies/analysis/analyse-aside.test.ts',
      'apps/control-plane/src/policies/proving/prove-aside.test.ts',
      'apps/control-plane/src/policies/replay/replay.test.ts',
      'apps/control-plane/src/policies/versions/findings/warnings.test.ts',
      'apps/gateway/src/actions/execution/neighbours.test.ts',
    ],
  },
  'sign-in elsewhere': {
    short: 1,
    why: 'each is a provider that answers otherwise; what is believed of an answer is decided by rules with tests of their own',
    files: [
      'apps/control-plane/src/people/scim/scim.test.ts',
      'apps/control-plane/src/people/sso/lying-provider.test.ts',
      'apps/control-plane/src/people/sso/saml-attacks.test.ts',
      'apps/control-plane/src/people/sso/saml-sign-in.test.ts',
      'apps/control-plane/src/people/sso/sso-sign-in.test.ts',
    ],
  },
  'further doors for people': {
    short: 1,
    why: 'signing in, sessions, roles and second factors are tried each time; each of these is one further door, mostly with a code of a mail',
    files: [
      'apps/control-plane/src/people/api-keys/networks-and-rotation.test.ts',
      'apps/control-plane/src/people/auth/lockout.test.ts',
      'apps/control-plane/src/people/auth/mailed-signup.test.ts',
      'apps/control-plane/src/people/auth/signup.test.ts',
      'apps/control-plane/src/people/auth/unproved-address.test.ts',
      'apps/control-plane/src/people/invitations/invitations.test.ts',
      'apps/control-plane/src/people/mail/outbox-page.test.ts',
      'apps/control-plane/src/people/mail/sending/mailer.test.ts',
      'apps/control-plane/src/people/passwords/passwords.test.ts',
      'apps/control-plane/src/people/second-factors/passkeys.test.ts',
      'apps/control-plane/src/people/second-factors/required.test.ts',
      'apps/control-plane/src/people/setup/setup.test.ts',
    ],
  },
  'what the world sends in': {
    short: 1,
    why: 'documents and rates are read by pure rules with tests of their own; these fetch them, slowly and from servers that lie',
    files: [
      'apps/control-plane/src/jobs/refresh-automatic-rates.test.ts',
      'apps/control-plane/src/money/fx-rates/provider/rate-provider.test.ts',
      'apps/control-plane/src/tools/tool-imports/fetched-documents.test.ts',
      'apps/control-plane/src/tools/tool-imports/moved-tools.test.ts',
      'apps/control-plane/src/tools/tool-imports/tool-imports.test.ts',
    ],
  },
  'credentials under way': {
    short: 1,
    why: 'that a credential is sent to its host alone and hidden in answers is tried each time; these renew, change and revoke it meanwhile',
    files: [
      'apps/control-plane/src/credentials/credentials/egress-off.test.ts',
      'apps/gateway/src/actions/execution/access-tokens.test.ts',
      'apps/gateway/src/actions/execution/call-terms.test.ts',
      'apps/gateway/src/actions/execution/changed-by-hand.test.ts',
      'apps/gateway/src/actions/execution/kept-connections.test.ts',
      'apps/gateway/src/actions/execution/lease-round-trips.test.ts',
      'apps/gateway/src/actions/execution/plain-text.test.ts',
      'apps/gateway/src/actions/execution/stopped-agents.test.ts',
      'apps/gateway/src/actions/execution/stopped-meanwhile.test.ts',
    ],
  },
};
