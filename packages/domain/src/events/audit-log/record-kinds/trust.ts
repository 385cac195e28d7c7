import { getNotedKind } from './noted-kind.ts';

/** A provider of trust evidence. Not covered: the mark of a job that revokes its evidence. */
export const TRUST_PROVIDER = getNotedKind({
  type: 'trust_provider',
  table: 'trust_providers',
  permission: 'trust:read',
  columns: {
    name: 'text',
    kind: 'text',
    keys: 'value',
    identities: 'value',
    trusted_root: 'value',
    evidence_kinds: 'value',
    max_level: 'bigint',
    independent: 'value',
    created_by: 'text',
    created_at: 'timestamptz',
    disabled_at: 'timestamptz',
    disabled_by: 'text',
    disabled_reason: 'text',
  },
});

/** Evidence about an agent. Not covered: the document, of which the signed part is covered by its SHA-256, and when the next notice is due. */
export const TRUST_EVIDENCE = getNotedKind({
  type: 'trust_evidence',
  table: 'trust_evidence',
  permission: 'trust:read',
  columns: {
    workspace_id: 'text',
    environment_id: 'text',
    agent_id: 'text',
    provider_id: 'text',
    kind: 'text',
    format: 'text',
    result: 'text',
    level: 'bigint',
    is_lowering: 'value',
    bound_by: 'text',
    bound_to: 'text',
    document_hash: 'text',
    proof: 'value',
    note: 'text',
    issued_at: 'timestamptz',
    expires_at: 'timestamptz',
    added_by_type: 'text',
    added_by_id: 'text',
    created_at: 'timestamptz',
    revoked_at: 'timestamptz',
    revoked_by: 'text',
    revoked_reason: 'text',
  },
});
