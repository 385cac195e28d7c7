import type { Topic } from './topic.ts';

export const ACTION_TOPICS: readonly Topic[] = [
  {
    about: 'Separation of duties: who may not approve, and withdrawn votes',
    files:
      '`packages/domain/src/actions/approvals/separation.ts`, `packages/postgres/src/actions/approvals/exclusions.ts`, `packages/operations/src/actions/approvals/`',
    decisions: ['0151', '0152'],
  },
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
    files: '`packages/enforcement/src/facts/request-hash.ts`, checked by `packages/enforcement/src/stages/13-approval.ts`',
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
      '`packages/domain/src/tools/schema/` (`normalise-schema.ts` for the dialects of JSON Schema), `packages/domain/src/tools/request/execution-request.ts`; dry call: `apps/control-plane/src/tools/tools/dry-call/`',
    decisions: ['0167'],
  },
  {
    about: 'Execution of a tool call: retries, expected responses',
    files:
      '`apps/gateway/src/actions/execution/` (`make-tries.ts`), `packages/enforcement/src/execution/` (`execute.ts`, `read-answered.ts`), `packages/domain/src/tools/terms/`',
    decisions: ['0080', '0085'],
  },
  {
    about: 'Calls of which no byte was sent: restored approvals, limits given back, freed keys',
    files:
      '`packages/postgres/src/recorder/record-unsent.ts`, `packages/enforcement/src/execution/execute.ts`, `apps/gateway/src/actions/execution/new-executors.ts` (`onSend`), `packages/postgres/src/actions/approvals/in-flight.ts`, function `svc_give_back_claims` (`packages/postgres/migrations/0168_uses_are_given_back.sql`)',
    decisions: ['0155'],
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
    about: 'MCP servers: definitions, pins, findings, listings and calls',
    files:
      '`packages/peers/src/mcp/definitions/` (`pin.ts`), `packages/peers/src/mcp/findings/` (`phrases.ts`), `packages/peers/src/mcp/upstream/` (`listing.ts`, `call.ts`, `sessions.ts`)',
    decisions: ['0173'],
  },
  {
    about: 'Stored credential: checked, decrypted, added to the request, removed from the response',
    files:
      '`packages/enforcement/src/stages/14-credential.ts`, `packages/keyring/src/sealed/credential-secret.ts`, `packages/egress/src/requests/prove-request.ts`, `packages/domain/src/credentials/` (`place-secret.ts`, `hide-secret.ts`)',
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
      '`packages/operations/src/credentials/tokens/` (`have-access-token.ts`, `refresh-credential.ts`), `packages/egress/src/tokens/`, `packages/postgres/src/credentials/tokens/`; callers: `apps/gateway/src/actions/execution/access-tokens.ts`, `apps/worker/src/jobs/refresh-credentials.ts`',
    decisions: ['0077'],
  },
  {
    about: 'Currency conversion',
    files: '`packages/domain/src/money/fx-rates/convert.ts`, used by `packages/enforcement/src/stages/09-currency.ts`',
    decisions: ['0013'],
  },
];
