import { type Static, Type } from 'typebox';
import { closedObject, enumSchema, id, jsonObject, nullable, timestamp, wholeNumber } from '../../rows/schema.ts';
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

export const RuntimeSettings = closedObject({
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
    wholeNumber(
      runtimes.intervalSecondsMin,
      runtimes.intervalSecondsMax,
      `Time between verifications. Default: ${runtimes.defaultIntervalSeconds}.`,
    ),
  ),
  requests_per_second: Type.Optional(
    wholeNumber(1, runtimes.requestsPerSecondMax, `Requests to the instance in a second. Default: ${runtimes.defaultPerSecondCount}.`),
  ),
  grace_seconds: Type.Optional(
    wholeNumber(
      0,
      runtimes.graceSecondsMax,
      `How long the enforcement status may be below the required one before agents are refused. Default: ${runtimes.defaultGraceSeconds}.`,
    ),
  ),
  required_enforcement: Type.Optional(
    enumSchema(
      ['DETECTED', 'PARTIAL', 'ENFORCED'] as const,
      'Lowest enforcement status that fail_closed lets agents act with. Default: DETECTED.',
    ),
  ),
});
export type RuntimeSettings = Static<typeof RuntimeSettings>;

export const EnforcementReason = closedObject({
  at_most: enumSchema(ENFORCEMENT_STATUSES, 'The status is at most this one for this reason.'),
  why: Type.String(),
  evidence: Type.Optional(enumSchema(EVIDENCE_NAMES)),
  finding_id: Type.Optional(Type.String()),
});
export type EnforcementReason = Static<typeof EnforcementReason>;

/** Future statuses if nothing new is observed. The first is the current one. */
export const EnforcementForecast = Type.Array(closedObject({ from: timestamp, status: enumSchema(ENFORCEMENT_STATUSES) }), {
  description: 'Current status, and the lower ones to which it falls if no new evidence arrives.',
});
export type EnforcementForecast = Static<typeof EnforcementForecast>;

export const ObservedEvidence = closedObject({
  name: enumSchema(EVIDENCE_NAMES),
  holds: nullable(Type.Boolean({ description: 'Null if it could not be observed.' })),
  observed_at: timestamp,
  source: Type.String({ description: 'Request or report that it was observed with.' }),
  detail: Type.String(),
});
export type ObservedEvidence = Static<typeof ObservedEvidence>;

const key = nullable(
  closedObject({
    scopes: Type.Array(Type.String()),
    missing: Type.Array(Type.String(), { description: 'Scopes that verification needs and the key lacks.' }),
    too_wide: Type.Boolean({ description: 'True if the key can do more than admin_access allows the service.' }),
    expires_at: nullable(timestamp),
  }),
);

export const Connection = closedObject({
  health: enumSchema(CONNECTION_HEALTHS),
  detail: Type.String(),
  tested_at: nullable(timestamp),
  key,
});
export type Connection = Static<typeof Connection>;

const counts = Type.Record(Type.String(), Type.Integer());

export const VerificationRun = closedObject({
  id: id('Run id (run_).'),
  runtime_id: Type.String(),
  trigger: enumSchema(RUN_TRIGGERS),
  state: enumSchema(RUN_STATES),
  step: enumSchema(RUN_STEPS),
  requests: Type.Integer({ description: 'Requests that were sent to the instance.' }),
  workflows: Type.Integer({ description: 'Workflows that were inspected.' }),
  findings: Type.Integer({ description: 'Findings that were open or accepted at its end.' }),
  started_by: Type.String(),
  created_at: timestamp,
  started_at: nullable(timestamp),
  ended_at: nullable(timestamp),
  failure: nullable(Type.String()),
  evidence_root: nullable(Type.String({ description: 'RFC 6962 Merkle root of its evidence, in hex. The event of its end states it.' })),
  before: nullable(enumSchema(ENFORCEMENT_STATUSES)),
  after: nullable(enumSchema(ENFORCEMENT_STATUSES)),
  evidence: Type.Optional(Type.Array(closedObject({ ...ObservedEvidence.properties, hash: Type.String() }))),
});
export type VerificationRun = Static<typeof VerificationRun>;

export const Operated = closedObject({
  operation: Type.String(),
  reason: Type.String(),
  by: Type.String(),
  at: timestamp,
  instance: Type.String({ description: 'CONFIRMED, PENDING, NOT_REQUESTED, NOT_APPLIED or UNREACHABLE.' }),
  deactivated: Type.Array(Type.String(), { description: 'Ids of the workflows that the service deactivated.' }),
  not_applied: Type.Array(closedObject({ workflow_id: Type.String(), name: Type.String(), why: Type.String() })),
});
export type Operated = Static<typeof Operated>;

export const Runtime = closedObject({
  id: id('Runtime id (rtm_).'),
  name: Type.String(),
  kind: enumSchema(RUNTIME_KINDS),
  product: Type.String(),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  agent_id: nullable(Type.String()),
  base_url: nullable(Type.String()),
  status: enumSchema(RUNTIME_STATUSES),
  fail_closed: Type.Boolean(),
  admin_access: enumSchema(ADMIN_ACCESS),
  settings: RuntimeSettings,
  credential_id: nullable(Type.String({ description: 'Credential that holds the API key.' })),
  connection: Connection,
  enforcement: closedObject({
    status: enumSchema(ENFORCEMENT_STATUSES, 'Computed for the time of this answer: evidence that is too old no longer counts.'),
    required: enumSchema(ENFORCEMENT_STATUSES),
    assessed_at: nullable(timestamp),
    reasons: Type.Array(EnforcementReason),
    forecast: EnforcementForecast,
    refuses_agents: Type.Boolean({ description: 'True if actions of its agent are refused now.' }),
  }),
  findings: closedObject({ open: counts, accepted: Type.Integer(), dormant: Type.Integer() }),
  workflows: closedObject({ total: Type.Integer(), active: Type.Integer() }),
  last_run: nullable(VerificationRun),
  next_verification_at: nullable(timestamp),
  operated: nullable(Operated),
  created_by: Type.String(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Runtime = Static<typeof Runtime>;

export const RuntimeAssessment = closedObject({
  at: timestamp,
  status: enumSchema(ENFORCEMENT_STATUSES),
  cause: enumSchema(ASSESSMENT_CAUSES),
  reasons: Type.Array(EnforcementReason),
  run_id: nullable(Type.String()),
});
export type RuntimeAssessment = Static<typeof RuntimeAssessment>;

/** Node of an inspected workflow: its class, never its parameters. */
export const InspectedNode = closedObject({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  class: Type.String(),
  disabled: Type.Boolean(),
  destination: nullable(Type.String({ description: 'Host that it calls; null if it calls none, or if the host is not constant.' })),
});

export const RuntimeWorkflow = closedObject({
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

export const CapabilityRow = closedObject({
  subject: Type.String(),
  how: enumSchema(['PREVENTED', 'DETECTED', 'NEITHER'] as const),
  by: Type.String(),
  needs: Type.Array(enumSchema(EVIDENCE_NAMES)),
  limits: Type.String(),
});
export type CapabilityRow = Static<typeof CapabilityRow>;

export const RuntimeCapabilities = closedObject({
  kind: enumSchema(RUNTIME_KINDS),
  products: Type.Array(Type.String()),
  ceiling: enumSchema(ENFORCEMENT_STATUSES, 'Highest enforcement status of the kind.'),
  connects: Type.Boolean({ description: 'True if the service connects to it with an API key.' }),
  needs: Type.Array(
    closedObject({
      evidence: enumSchema(EVIDENCE_NAMES),
      otherwise_at_most: enumSchema(ENFORCEMENT_STATUSES),
      lives_seconds: nullable(Type.Integer()),
    }),
  ),
  rows: Type.Array(CapabilityRow),
});
export type RuntimeCapabilities = Static<typeof RuntimeCapabilities>;

export const Posture = closedObject({
  computed_at: timestamp,
  overall: enumSchema(ENFORCEMENT_STATUSES, 'Weakest status of the active runtimes in production environments; UNKNOWN if there are none.'),
  counts: closedObject({
    BYPASSED: Type.Integer(),
    UNKNOWN: Type.Integer(),
    DETECTED: Type.Integer(),
    PARTIAL: Type.Integer(),
    ENFORCED: Type.Integer(),
  }),
  by_environment: Type.Array(
    closedObject({
      environment_id: Type.String(),
      name: Type.String(),
      mode: Type.String(),
      status: enumSchema(ENFORCEMENT_STATUSES),
      runtimes: Type.Integer(),
    }),
  ),
  by_kind: Type.Array(
    closedObject({ kind: enumSchema(RUNTIME_KINDS), status: enumSchema(ENFORCEMENT_STATUSES), runtimes: Type.Integer() }),
  ),
  agents: closedObject({
    total: Type.Integer(),
    with_runtime: Type.Integer(),
    without_runtime: Type.Integer(),
    refused_by_runtime: Type.Integer(),
  }),
  actions_24h: closedObject({ total: Type.Integer(), from_runtimes: Type.Integer() }),
  findings: closedObject({
    open: counts,
    contained: Type.Integer(),
    accepted: Type.Integer(),
    accepted_expiring_14d: Type.Integer(),
    dormant: Type.Integer(),
  }),
  next_fall: nullable(
    closedObject({
      at: timestamp,
      runtime_id: Type.String(),
      from: enumSchema(ENFORCEMENT_STATUSES),
      to: enumSchema(ENFORCEMENT_STATUSES),
    }),
  ),
  changes_24h: Type.Array(
    closedObject({
      runtime_id: Type.String(),
      from: enumSchema(ENFORCEMENT_STATUSES),
      to: enumSchema(ENFORCEMENT_STATUSES),
      at: timestamp,
      cause: enumSchema(ASSESSMENT_CAUSES),
    }),
  ),
  not_known: Type.Array(Type.String()),
});
export type Posture = Static<typeof Posture>;

/** A file of a client or platform, or the coverage that a program states. */
const reportFile = closedObject({
  path: Type.String({ minLength: 1, maxLength: 500 }),
  scope: Type.Optional(enumSchema(['MANAGED', 'USER', 'PROJECT'] as const)),
  owner_is_root: Type.Optional(Type.Boolean()),
  content: Type.String({ maxLength: LIMITS.runtimeReports.fileCharsMax }),
});

export const ReportBody = closedObject({
  files: Type.Array(reportFile, {
    minItems: 1,
    maxItems: LIMITS.runtimeReports.filesMax,
    description: 'Configuration files. Only names, hosts, commands and hashes of them are stored.',
  }),
  source: Type.Optional(enumSchema(['CLI', 'UPLOAD'] as const)),
});
export type ReportBody = Static<typeof ReportBody>;

export const BundleFile = closedObject({
  path: Type.String(),
  sha256: Type.String(),
  mode: Type.String(),
  encoding: enumSchema(['utf-8', 'base64'] as const, 'Encoding of `content`. The hash is of the decoded bytes.'),
  content: Type.String(),
  secret_slots: Type.Array(Type.String(), { description: 'Names of secrets that are filled in at deployment.' }),
});

export const Bundle = closedObject({
  version: Type.String(),
  hash: Type.String({ description: 'SHA-256 over the paths and hashes of the files.' }),
  product_version: Type.String(),
  files: Type.Array(BundleFile),
  manifest: Type.String({
    description:
      'List of the files with their hashes, signed by the platform key (compact JWS). /.well-known/svc-platform-key verifies it.',
  }),
  verify: Type.Array(closedObject({ what: Type.String(), evidence: Type.String() })),
  notes: Type.Array(Type.String()),
});
export type Bundle = Static<typeof Bundle>;

export const RuntimeInventory = jsonObject('Inspected nodes and edges of the draft and of the published version.');
