import { buildId } from '@svc/contract/tables/ids.ts';
import type { FreshDatabase } from '../database/database.ts';
import { newUlid } from './new-ulid.ts';

const PROOF = { key: null, identity: null, log_index: null, signed_at: null, statement_type: null };

/** Inserts a provider and a statement about an agent. Their texts contain `word`. */
export const insertTrust = async (
  database: FreshDatabase,
  agentId: string,
  word: string,
): Promise<{ trustProviderId: string; trustEvidenceId: string }> => {
  const client = await database.client();
  const trustProviderId = buildId('trust_provider', newUlid());
  const trustEvidenceId = buildId('trust_evidence', newUlid());
  await client.query(
    `insert into trust_providers (organization_id, id, name, kind, evidence_kinds, max_level, created_by, created_at)
     select organization_id, $2, $3, 'MANUAL', '{security_review}', 2, 'usr_1', now() from agents where id = $1`,
    [agentId, trustProviderId, `${word} ${trustProviderId}`],
  );
  await client.query(
    `insert into trust_evidence (organization_id, id, workspace_id, environment_id, agent_id, provider_id, kind, format, level, is_lowering, bound_by,
       document_hash, proof, note, issued_at, expires_at, added_by_type, added_by_id, created_at)
     select a.organization_id, $2, e.workspace_id, a.environment_id, a.id, $3, 'security_review', 'NONE', 1, false, 'AGENT_ID', md5($2), $4, $5, now(),
            now() + interval '90 days', 'USER', 'usr_1', now()
       from agents a join environments e on e.organization_id = a.organization_id and e.id = a.environment_id where a.id = $1`,
    [agentId, trustEvidenceId, trustProviderId, JSON.stringify(PROOF), `Reviewed ${word}.`],
  );
  await client.end();
  return { trustProviderId, trustEvidenceId };
};
