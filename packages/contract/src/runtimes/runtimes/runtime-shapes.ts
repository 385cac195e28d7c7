import { type Static, Type } from 'typebox';
import { closed, id, jsonObject, nullable, oneOf, timestamp, whole } from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';
import {
  ADMIN_ACCESS,
  ASSESSMENT_CAUSES,
  CONNECTION_HEALTHS,
  ENFORCEMENT_STATUSES,
  EVIDENCE_NAMES,
  RUN_STATES,
  RUN_STEPS,
  RUN_TRIGGERS,
  RUNTIME_KINDS,
  RUNTIME_STATUSES,
} from './vocabulary.ts';

const { runtimes } = LIMITS;

const hosts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 260 }), { maxItems: runtimes.hostsMax, uniqueItems: true, description }));

export const RuntimeSettings = closed({
  allowed_hosts: hosts('Hosts that workflows may call directly, in addition to the gateway. host or host:port.'),
  model_hosts: hosts('Hosts of model providers that the runtime may call.'),
  governed_node_types: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: runtimes.nodeTypesMax,
      uniqueItems: true,
      description: 'Node types that were reviewed and count as governed, in addition to those of the service.',
    }),
  ),
  interval_seconds: Type.Optional(
    whole(
      runtimes.intervalSecondsMin,
      runtimes.intervalSecondsMax,
      `Time between verifications. Default: ${runtimes.defaultIntervalSeconds}.`,
    ),
  ),
  requests_per_second: Type.Optional(
    whole(1, runtimes.requestsPerSecondMax, `Requests to the instance in a second. Default: ${runtimes.defaultPerSecondCount}.`),
  ),
  grace_seconds: Type.Optional(
    whole(
      0,
      runtimes.graceSecondsMax,
      `How long the enforcement status may be below the required one before agents are refused. Default: ${runtimes.defaultGraceSeconds}.`,
    ),
  ),
  required_enforcement: Type.Optional(
    oneOf(
      ['DETECTED', 'PARTIAL', 'ENFORCED'] as const,
      'Lowest enforcement status that fail_closed lets agents act with. Default: DETECTED.',
    ),
  ),
});
export type RuntimeSettings = Static<typeof RuntimeSettings>;

export const EnforcementReason = closed({
  at_most: oneOf(ENFORCEMENT_STATUSES, 'The status is at most this one for this reason.'),
  why: Type.String(),
  evidence: Type.Optional(oneOf(EVIDENCE_NAMES)),
  finding_id: Type.Optional(Type.String()),
});
export type EnforcementReason = Static<typeof EnforcementReason>;

/** Future statuses if nothing new is observed. The first is the current one. */
export const EnforcementForecast = Type.Array(closed({ from: timestamp, status: oneOf(ENFORCEMENT_STATUSES) }), {
  description: 'Current status, and the lower ones to which it falls if no new evidence arrives.',
});
export type EnforcementForecast = Static<typeof EnforcementForecast>;

export const ObservedEvidence = closed({
  name: oneOf(EVIDENCE_NAMES),
  holds: nullable(Type.Boolean({ description: 'Null if it could not be observed.' })),
  observed_at: timestamp,
  source: Type.String({ description: 'Request or report that it was observed with.' }),
  detail: Type.String(),
});
export type ObservedEvidence = Static<typeof ObservedEvidence>;

const key = nullable(
  closed({
    scopes: Type.Array(Type.String()),
    missing: Type.Array(Type.String(), { description: 'Scopes that verification needs and the key lacks.' }),
    too_wide: Type.Boolean({ description: 'True if the key can do more than admin_access allows the service.' }),
    expires_at: nullable(timestamp),
  }),
);

export const Connection = closed({
  health: oneOf(CONNECTION_HEALTHS),
  detail: Type.String(),
  tested_at: nullable(timestamp),
  key,
});
export type Connection = Static<typeof Connection>;

const counts = Type.Record(Type.String(), Type.Integer());

export const VerificationRun = closed({
  id: id('Run id (run_).'),
  runtime_id: Type.String(),
  trigger: oneOf(RUN_TRIGGERS),
  state: oneOf(RUN_STATES),
  step: oneOf(RUN_STEPS),
  requests: Type.Integer({ description: 'Requests that were sent to the instance.' }),
  workflows: Type.Integer({ description: 'Workflows that were inspected.' }),
  findings: Type.Integer({ description: 'Findings that were open or accepted at its end.' }),
  started_by: Type.String(),
  created_at: timestamp,
  started_at: nullable(timestamp),
  ended_at: nullable(timestamp),
  failure: nullable(Type.String()),
  evidence_root: nullable(Type.String({ description: 'RFC 6962 Merkle root of its evidence, in hex. The event of its end states it.' })),
  before: nullable(oneOf(ENFORCEMENT_STATUSES)),
  after: nullable(oneOf(ENFORCEMENT_STATUSES)),
  evidence: Type.Optional(Type.Array(closed({ ...ObservedEvidence.properties, hash: Type.String() }))),
});
export type VerificationRun = Static<typeof VerificationRun>;

export const Operated = closed({
  operation: Type.String(),
  reason: Type.String(),
  by: Type.String(),
  at: timestamp,
  instance: Type.String({ description: 'CONFIRMED, PENDING, NOT_REQUESTED, NOT_APPLIED or UNREACHABLE.' }),
  deactivated: Type.Array(Type.String(), { description: 'Ids of the workflows that the service deactivated.' }),
  not_applied: Type.Array(closed({ workflow_id: Type.String(), name: Type.String(), why: Type.String() })),
});
export type Operated = Static<typeof Operated>;

export const Runtime = closed({
  id: id('Runtime id (rtm_).'),
  name: Type.String(),
  kind: oneOf(RUNTIME_KINDS),
  product: Type.String(),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  agent_id: nullable(Type.String()),
  base_url: nullable(Type.String()),
  status: oneOf(RUNTIME_STATUSES),
  fail_closed: Type.Boolean(),
  admin_access: oneOf(ADMIN_ACCESS),
  settings: RuntimeSettings,
  credential_id: nullable(Type.String({ description: 'Credential that holds the API key.' })),
  connection: Connection,
  enforcement: closed({
    status: oneOf(ENFORCEMENT_STATUSES, 'Computed for the time of this answer: evidence that is too old no longer counts.'),
    required: oneOf(ENFORCEMENT_STATUSES),
    assessed_at: nullable(timestamp),
    reasons: Type.Array(EnforcementReason),
    forecast: EnforcementForecast,
    refuses_agents: Type.Boolean({ description: 'True if actions of its agent are refused now.' }),
  }),
  findings: closed({ open: counts, accepted: Type.Integer(), dormant: Type.Integer() }),
  workflows: closed({ total: Type.Integer(), active: Type.Integer() }),
  last_run: nullable(VerificationRun),
  next_verification_at: nullable(timestamp),
  operated: nullable(Operated),
  created_by: Type.String(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Runtime = Static<typeof Runtime>;

export const RuntimeAssessment = closed({
  at: timestamp,
  status: oneOf(ENFORCEMENT_STATUSES),
  cause: oneOf(ASSESSMENT_CAUSES),
  reasons: Type.Array(EnforcementReason),
  run_id: nullable(Type.String()),
});
export type RuntimeAssessment = Static<typeof RuntimeAssessment>;

/** Node of an inspected workflow: its class, never its parameters. */
export const InspectedNode = closed({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  class: Type.String(),
  disabled: Type.Boolean(),
  destination: nullable(Type.String({ description: 'Host that it calls; null if it calls none, or if the host is not constant.' })),
});

export const RuntimeWorkflow = closed({
  workflow_id: Type.String({ description: 'Id at the instance.' }),
  name: Type.String(),
  active: Type.Boolean(),
  archived: Type.Boolean(),
  version_id: nullable(Type.String()),
  active_version_id: nullable(Type.String()),
  hash: Type.String({ description: 'SHA-256 of the nodes without positions, the connections and the settings.' }),
  changed_at: timestamp,
  first_seen_at: timestamp,
  last_seen_at: timestamp,
  gone_at: nullable(timestamp),
  open_findings: Type.Integer(),
});
export type RuntimeWorkflow = Static<typeof RuntimeWorkflow>;

export const CapabilityRow = closed({
  subject: Type.String(),
  how: oneOf(['PREVENTED', 'DETECTED', 'NEITHER'] as const),
  by: Type.String(),
  needs: Type.Array(oneOf(EVIDENCE_NAMES)),
  limits: Type.String(),
});
export type CapabilityRow = Static<typeof CapabilityRow>;

export const RuntimeCapabilities = closed({
  kind: oneOf(RUNTIME_KINDS),
  products: Type.Array(Type.String()),
  ceiling: oneOf(ENFORCEMENT_STATUSES, 'Highest enforcement status of the kind.'),
  connects: Type.Boolean({ description: 'True if the service connects to it with an API key.' }),
  needs: Type.Array(
    closed({ evidence: oneOf(EVIDENCE_NAMES), otherwise_at_most: oneOf(ENFORCEMENT_STATUSES), lives_seconds: nullable(Type.Integer()) }),
  ),
  rows: Type.Array(CapabilityRow),
});
export type RuntimeCapabilities = Static<typeof RuntimeCapabilities>;

export const Posture = closed({
  computed_at: timestamp,
  overall: oneOf(ENFORCEMENT_STATUSES, 'Weakest status of the active runtimes in production environments; UNKNOWN if there are none.'),
  counts: closed({
    BYPASSED: Type.Integer(),
    UNKNOWN: Type.Integer(),
    DETECTED: Type.Integer(),
    PARTIAL: Type.Integer(),
    ENFORCED: Type.Integer(),
  }),
  by_environment: Type.Array(
    closed({
      environment_id: Type.String(),
      name: Type.String(),
      mode: Type.String(),
      status: oneOf(ENFORCEMENT_STATUSES),
      runtimes: Type.Integer(),
    }),
  ),
  by_kind: Type.Array(closed({ kind: oneOf(RUNTIME_KINDS), status: oneOf(ENFORCEMENT_STATUSES), runtimes: Type.Integer() })),
  agents: closed({
    total: Type.Integer(),
    with_runtime: Type.Integer(),
    without_runtime: Type.Integer(),
    refused_by_runtime: Type.Integer(),
  }),
  actions_24h: closed({ total: Type.Integer(), from_runtimes: Type.Integer() }),
  findings: closed({
    open: counts,
    contained: Type.Integer(),
    accepted: Type.Integer(),
    accepted_expiring_14d: Type.Integer(),
    dormant: Type.Integer(),
  }),
  next_fall: nullable(
    closed({ at: timestamp, runtime_id: Type.String(), from: oneOf(ENFORCEMENT_STATUSES), to: oneOf(ENFORCEMENT_STATUSES) }),
  ),
  changes_24h: Type.Array(
    closed({
      runtime_id: Type.String(),
      from: oneOf(ENFORCEMENT_STATUSES),
      to: oneOf(ENFORCEMENT_STATUSES),
      at: timestamp,
      cause: oneOf(ASSESSMENT_CAUSES),
    }),
  ),
  not_known: Type.Array(Type.String()),
});
export type Posture = Static<typeof Posture>;

/** A file of a client or platform, or the coverage that a program states. */
const reportFile = closed({
  path: Type.String({ minLength: 1, maxLength: 500 }),
  scope: Type.Optional(oneOf(['MANAGED', 'USER', 'PROJECT'] as const)),
  owner_is_root: Type.Optional(Type.Boolean()),
  content: Type.String({ maxLength: LIMITS.runtimeReports.fileCharsMax }),
});

export const ReportBody = closed({
  files: Type.Array(reportFile, {
    minItems: 1,
    maxItems: LIMITS.runtimeReports.filesMax,
    description: 'Configuration files. Only names, hosts, commands and hashes of them are stored.',
  }),
  source: Type.Optional(oneOf(['CLI', 'UPLOAD'] as const)),
});
export type ReportBody = Static<typeof ReportBody>;

export const BundleFile = closed({
  path: Type.String(),
  sha256: Type.String(),
  mode: Type.String(),
  content: Type.String(),
  secret_slots: Type.Array(Type.String(), { description: 'Names of secrets that are filled in at deployment.' }),
});

export const Bundle = closed({
  version: Type.String(),
  hash: Type.String({ description: 'SHA-256 over the paths and hashes of the files.' }),
  product_version: Type.String(),
  files: Type.Array(BundleFile),
  manifest: nullable(Type.String({ description: 'Signed list of the files (JWS), which GET /gateway/v1/keys verifies.' })),
  verify: Type.Array(closed({ what: Type.String(), evidence: Type.String() })),
  notes: Type.Array(Type.String()),
});
export type Bundle = Static<typeof Bundle>;

export const RuntimeInventory = jsonObject('Inspected nodes and edges of the draft and of the published version.');
