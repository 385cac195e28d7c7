import type { EvidenceCheck, EvidenceVerdict, NewTrustEvidence } from '@svc/contract/risk/trust/trust-shapes.ts';
import { buildRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { parseStrictTime } from '@svc/domain/agents/agents/strict-time.ts';
import { nextNotice } from '@svc/domain/risk/trust/evidence-status.ts';
import { createFullRefusal } from '@svc/domain/tenancy/organization/full-refusal.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change, EventActor } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import {
  countEvidenceInForce,
  findTrustEvidence,
  insertTrustEvidence,
  type TrustEvidenceRow,
} from '@svc/postgres/risk/trust/trust-evidence.ts';
import { findTrustProvider, holdTrustProvider } from '@svc/postgres/risk/trust/trust-providers.ts';
import { findTrustedAgent, lockTrustedAgent } from '@svc/postgres/risk/trust/trust-requirements.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatEvidenceForAudit } from './as-trust-evidence.ts';
import { examineDocument, judgeEvidence } from './examine-evidence.ts';
import type { ReadEvidence } from './read-document.ts';

const { trust } = LIMITS;
const DAY_MS = 86_400_000;
const FULL = `An agent has at most ${trust.evidencePerAgentMax} pieces of evidence in force. Revoke one that is not needed.`;

/** Returns what is wrong with a body before anything is read; undefined if nothing is. */
export const findEvidenceFault = (
  { format, document, note, expires_at }: NewTrustEvidence,
  now: Date,
): Refusal<'VALIDATION_FAILED'> | undefined => {
  const expires = parseStrictTime(expires_at);
  if (expires === null) return refuseBody('/expires_at', 'Must be a UTC time such as 2026-01-31T09:30:00.000Z.');
  if (expires <= now.getTime()) return refuseBody('/expires_at', 'Must be in the future.');
  if (expires - now.getTime() > trust.expiresInDaysMax * DAY_MS)
    return refuseBody('/expires_at', `Must be within ${trust.expiresInDaysMax} days.`);
  if (format === 'NONE' && document !== undefined) return refuseBody('/document', 'The statement of a person has no document.');
  if (format === 'NONE' && !note?.trim()) return refuseBody('/note', 'The statement of a person needs a note.');
  return format !== 'NONE' && document === undefined
    ? refuseBody('/document', `Evidence of the format ${format} needs a document.`)
    : undefined;
};

type Request = { readonly actor: EventActor; readonly now: Date; readonly organizationId: string; readonly body: NewTrustEvidence };

/**
 * Verifies the document of a request outside of a transaction. Not found if the provider does not exist; undefined for the statement of a
 * person.
 */
export const readEvidence = async (
  tx: TenantTransaction,
  { organizationId, body, actor, now }: Request,
): Promise<{ readonly verify: () => Promise<ReadEvidence | undefined> } | Refusal<'NOT_FOUND'>> => {
  const provider = await findTrustProvider(tx, organizationId, body.provider_id);
  if (provider === undefined) return buildRefusal('NOT_FOUND', 'There is no such provider.');
  // A disabled provider verifies nothing.
  return { verify: async () => (provider.disabled_at === null ? await examineDocument({ body, provider, actor, now }) : undefined) };
};

/** Judges evidence without storing it. */
export const verifyEvidence = async (
  tx: TenantTransaction,
  { organizationId, body, actor, now }: Request,
  read: ReadEvidence | undefined,
): Promise<EvidenceVerdict | Refusal<'NOT_FOUND'>> => {
  const provider = await findTrustProvider(tx, organizationId, body.provider_id);
  const agent = provider && (await findTrustedAgent(tx, organizationId, body.agent_id));
  if (!provider || !agent) return buildRefusal('NOT_FOUND', provider ? 'The agent does not exist.' : 'There is no such provider.');
  const { checks, accepted } = judgeEvidence({ body, provider, actor, now }, read, agent);
  return {
    accepted: accepted !== undefined,
    checks: [...checks],
    level: accepted?.level ?? null,
    expires_at: accepted?.expires_at.toISOString() ?? null,
  };
};

const refuseFailed = (checks: readonly EvidenceCheck[], expected: Readonly<Record<string, unknown>>): Refusal<'UNPROCESSABLE'> =>
  buildRefusal('UNPROCESSABLE', checks.at(-1)?.explanation ?? 'The evidence was not accepted.', { checks, expected });

/** Adds evidence. A duplicate statement violates `trust_evidence_is_added_once`. */
export const addTrustEvidence = async (
  { tx, emit }: Change<'trust.evidence_added'>,
  { scope, actor, now, body, read }: CallContext & { readonly body: NewTrustEvidence; readonly read: ReadEvidence | undefined },
  id: string,
): Promise<TrustEvidenceRow | Refusal<'NOT_FOUND' | 'UNPROCESSABLE'>> => {
  const { organization_id } = scope;
  const provider = await holdTrustProvider(tx, organization_id, body.provider_id);
  if (provider === undefined) return buildRefusal('NOT_FOUND', 'There is no such provider.');
  const agent = await lockTrustedAgent(tx, organization_id, body.agent_id);
  if (agent === undefined) return buildRefusal('NOT_FOUND', 'The agent does not exist.');
  const { checks, accepted } = judgeEvidence({ body, provider, actor, now }, read, agent);
  const { key_thumbprint, artifact_digests, workspace_id, environment_id } = agent;
  if (accepted === undefined) return refuseFailed(checks, { sub: agent.id, 'cnf.jkt': key_thumbprint, artifact_digests });
  const there = await countEvidenceInForce(tx, organization_id, agent.id, now);
  if (there >= trust.evidencePerAgentMax) return createFullRefusal('evidence', there + 1, trust.evidencePerAgentMax, FULL);
  const { signedHash, proof, ...judged } = accepted;
  await insertTrustEvidence(tx, {
    ...{ organization_id, id, workspace_id, environment_id, agent_id: agent.id, provider_id: provider.id },
    ...{ kind: body.kind, format: body.format, ...judged, proof: JSON.stringify(proof), note: body.note ?? '' },
    document: body.document ?? null,
    document_hash: signedHash ?? sha256Hex(id),
    ...{ added_by_type: actor.type, added_by_id: actor.id, created_at: now, notice_due_at: nextNotice(judged.expires_at, now) },
  });
  const added = await findTrustEvidence(tx, organization_id, id);
  if (!added) throw new Error('the evidence that was added was not found');
  emit('trust.evidence_added', { ...about.trust_evidence(added), data: { after: formatEvidenceForAudit(added), agent_id: agent.id } });
  return added;
};
