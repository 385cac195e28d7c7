import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, cursorPage, enumSchema, nullable, timestamp } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';

const size = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const treeHash = (description: string) => Type.String({ description: `${description} SHA-256, base64.` });
const note = Type.String({
  description: 'Signed note (C2SP tlog-checkpoint): origin, size and root, with the signature of the platform key.',
});

/** Proof that an event is in a signed log. */
export const LogProof = closedObject({
  sequence: size('Leaf index of the event.'),
  leaf_hash: treeHash('Leaf hash (RFC 6962) of a zero byte followed by the canonical JSON (RFC 8785) of the event without its sequence.'),
  tree_size: size('Number of leaves of the tree that the proof refers to.'),
  root_hash: treeHash('Root of that tree.'),
  inclusion_path: Type.Array(Type.String(), { description: 'Sibling hashes on the path from the leaf to the root, base64.' }),
  checkpoint: note,
});
export type LogProof = Static<typeof LogProof>;

const AuditLog = closedObject({
  origin: Type.String({ description: 'Origin of the log in its checkpoints.' }),
  size: size('Number of sealed events.'),
  root_hash: treeHash('Root of the tree.'),
  sealed_at: nullable(timestamp),
  held_since: nullable(
    Type.String({
      description:
        'Time since which the log is held: nothing is sealed because the stored log differs from the signed log. Null otherwise.',
    }),
  ),
  keys: Type.Array(
    closedObject({
      key_id: Type.String(),
      public_key: Type.String({ description: 'Base64 SPKI.' }),
      verifier_key: Type.String({ description: 'Same key as a verifier key for signed notes (C2SP signed-note).' }),
      retired_at: nullable(
        Type.String({ description: 'Time since which the key no longer signs; null if it may sign. Earlier checkpoints remain valid.' }),
      ),
    }),
    { description: 'All keys that sign or signed checkpoints, newest first, retired keys last.' },
  ),
});

/** Kinds of external locations that keep checkpoints. */
export const ANCHOR_KINDS = ['FILE', 'ENDPOINT', 'BUCKET', 'WITNESS'] as const;

const Checkpoint = closedObject({
  id: Type.String({ description: 'Size of the log, which is unique per checkpoint.' }),
  size: size('Leaves.'),
  root_hash: treeHash('Root.'),
  checkpoint: Type.String({ description: 'Signed note, with an additional line for each cosigning witness (C2SP tlog-cosignature).' }),
  created_at: timestamp,
  anchors: Type.Array(
    closedObject({
      kind: enumSchema(ANCHOR_KINDS),
      witness: nullable(Type.String({ description: 'Name of the witness; null if the signer is not a witness.' })),
      anchored_at: timestamp,
    }),
    { description: 'External anchors, earliest first.' },
  ),
});

const page = { cursor: Type.Optional(Type.String({ maxLength: 2000 })) };

export const FINDINGS = ['CHANGED', 'DELETED', 'INSERTED', 'MOVED', 'CUT', 'LOG_CHANGED', 'RECORD_CHANGED', 'RECORD_DELETED'] as const;

/** Kinds of records that events cover by digests. */
export const COVERED_RECORDS = [
  ...(['action', 'agent', 'api_key', 'approval', 'credential', 'delegation', 'environment', 'member', 'organization'] as const),
  ...(['a2a_connection', 'mcp_server', 'mcp_tool'] as const),
  ...(['policy', 'policy_invariant', 'policy_version', 'role', 'runtime', 'sso_connection', 'tool', 'tool_version'] as const),
  ...(['trust_evidence', 'trust_provider', 'webhook_subscription', 'workspace'] as const),
] as const;
export type CoveredRecord = (typeof COVERED_RECORDS)[number];
export const RECORD_STATUSES = ['INTACT', 'CHANGED', 'ERASED', 'NOT_COVERED'] as const;

const recordType = enumSchema(COVERED_RECORDS, 'Kind of the record.');
const recordId = (description: string) => Type.String({ minLength: 1, maxLength: 128, description });
const recordStatus = enumSchema(
  RECORD_STATUSES,
  'INTACT: matches the newest event about it. CHANGED: the row was changed or deleted after that event. ERASED: removed by retention, with its events. NOT_COVERED: recorded by a release that wrote no digests.',
);

/** One record, compared with the newest events about it. */
export const VerifiedRecord = closedObject({
  type: recordType,
  id: Type.String(),
  status: recordStatus,
  parts: Type.Array(
    closedObject({
      digest: Type.String({ description: 'Member of the event that holds the digest.' }),
      status: recordStatus,
      event_id: Type.String({ description: 'Newest event that covers this part.' }),
      sequence: nullable(Type.Integer({ description: 'Leaf index of that event; null until it is sealed.' })),
    }),
  ),
});
export type VerifiedRecord = Static<typeof VerifiedRecord>;

export const Verification = closedObject({
  intact: Type.Boolean({ description: 'True if all checked events match the sealed log.' }),
  from_sequence: size('First verified leaf.'),
  to_sequence: size('End of the verified leaves, exclusive.'),
  next_sequence: nullable(size('Position of the next page; null at the end of the log.')),
  tree_size: size('Number of leaves of the log.'),
  removed_by_retention: size('Number of events in this range that retention removed. A signed statement in the log confirms the removal.'),
  checkpoint: nullable(note),
  findings: Type.Array(
    closedObject({
      kind: enumSchema(FINDINGS),
      sequence: nullable(Type.Integer()),
      event_id: nullable(Type.String()),
      record: Type.Optional(closedObject({ type: recordType, id: Type.String() })),
      says: Type.String({ description: 'Description of the fault.' }),
    }),
    { description: `At most the first ${LIMITS.audit.findingsMax} findings.` },
  ),
  checkpoints: closedObject({
    linked: size('Number of past checkpoints that match the chain to which the newest checkpoint commits.'),
    not_linked: size('Number of past checkpoints outside of that chain: of an earlier release, or kept only because they were anchored.'),
  }),
  record_parts: closedObject({
    intact: size('Number of parts that match the newest event.'),
    changed: size('Number of parts that were changed or deleted in the database after that event.'),
    erased: size('Number of parts that retention removed.'),
    not_covered: size('Number of parts recorded by a release that wrote no digests.'),
  }),
  records: Type.Optional(Type.Array(VerifiedRecord, { description: 'The requested records.' })),
});
export type Verification = Static<typeof Verification>;

const reading = {
  plane: 'control',
  area: 'events',
  method: 'GET',
  credential: 'caller',
  budget: 'caller',
  permissions: ['audit:read'],
  emits: [],
} as const;
const tile = {
  ...reading,
  wire: 'bytes',
  refuses: ['NOT_FOUND'],
  result: Type.String({ description: 'Concatenated hashes of 32 bytes each.' }),
} as const;

export const auditLogEndpoints = {
  getAuditLog: defineEndpoint({
    ...reading,
    path: '/v1/audit-log',
    summary: 'Get the transparency log of the organization: its name, sealed size, and checkpoint keys.',
    wire: 'json',
    result: AuditLog,
    refuses: [],
  }),
  getAuditLogCheckpoint: defineEndpoint({
    ...reading,
    path: '/v1/audit-log/checkpoint',
    summary: 'Get the newest checkpoint, for clients of C2SP tlog-tiles.',
    wire: 'bytes',
    media: ['text/plain'],
    result: Type.String({ description: 'Signed note.' }),
    refuses: ['NOT_FOUND'],
  }),
  getAuditLogTile: defineEndpoint({
    ...tile,
    path: '/v1/audit-log/tile/{tileLevel}/{tile}',
    summary: 'Get a tile of the tree (C2SP tlog-tiles) by level and number.',
  }),
  getAuditLogTilePart: defineEndpoint({
    ...tile,
    path: '/v1/audit-log/tile/{tileLevel}/{tile}/{tileNext}',
    summary: 'Get a tile with a number above 999, or a partial tile.',
  }),
  getAuditLogTileFar: defineEndpoint({
    ...tile,
    path: '/v1/audit-log/tile/{tileLevel}/{tile}/{tileNext}/{tileThird}',
    summary: 'Get a tile with a number above 999,999, or a partial tile above 999.',
  }),
  getAuditLogTileFarthest: defineEndpoint({
    ...tile,
    path: '/v1/audit-log/tile/{tileLevel}/{tile}/{tileNext}/{tileThird}/{tileWidth}',
    summary: 'Get a partial tile with a number above 999,999.',
  }),
  getAuditLogConsistency: defineEndpoint({
    ...reading,
    path: '/v1/audit-log/consistency',
    summary: 'Get the proof that an earlier log is a prefix of a later one (consistency proof).',
    wire: 'json',
    query: closedObject({
      from: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Size of the earlier log.' }),
      to: Type.Optional(
        Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Size of the later log. Defaults to the newest.' }),
      ),
    }),
    result: closedObject({
      from: size('Number of leaves of the earlier log.'),
      to: size('Number of leaves of the later log.'),
      from_root_hash: treeHash('Its root.'),
      to_root_hash: treeHash('Its root.'),
      consistency_path: Type.Array(Type.String(), {
        description: 'Hashes of the consistency proof (RFC 6962, section 2.1.2), base64-encoded.',
      }),
    }),
    refuses: ['VALIDATION_FAILED'],
  }),
  listAuditCheckpoints: defineEndpoint({
    ...reading,
    path: '/v1/audit-events/checkpoints',
    summary: 'List checkpoints, newest first: the current one, externally anchored ones, and one every few minutes.',
    wire: 'json',
    query: closedObject({ ...page, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })) }),
    result: cursorPage(Checkpoint),
    refuses: ['VALIDATION_FAILED'],
  }),
  getAuditEventProof: defineEndpoint({
    ...reading,
    path: '/v1/audit-events/{eventId}/proof',
    summary: 'Get the proof that an event is in the log, up to a signed checkpoint (inclusion proof).',
    wire: 'json',
    result: LogProof,
    refuses: ['NOT_FOUND', 'CONFLICT'],
  }),
  verifyAuditEvents: defineEndpoint({
    plane: 'control',
    area: 'events',
    method: 'POST',
    path: '/v1/audit-events/verify',
    summary: 'Verify events against their leaves, and the leaves against the signed checkpoint, in pages.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['audit:verify'],
    body: closedObject({
      from_sequence: Type.Optional(size('First leaf to verify. Default: 0.')),
      checkpoints: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: LIMITS.audit.givenCheckpointCharsMax }), {
          maxItems: LIMITS.audit.givenCheckpointsMax,
          description: 'Checkpoints that you kept outside of this installation. A log that does not continue them is reported.',
        }),
      ),
      records: Type.Optional(
        Type.Array(closedObject({ type: recordType, id: recordId('Id of the record.') }), {
          minItems: 1,
          maxItems: LIMITS.audit.verifiedRecordsMax,
          description: 'Verify these records against their events, instead of a range of the log.',
        }),
      ),
    }),
    bodyOptional: true,
    result: Verification,
    emits: ['audit.integrity_verified'],
    refuses: ['PERMISSION_DENIED', 'RATE_LIMITED'],
    automation: 'ALLOWED',
  }),
};
