import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockTrustedAgent, putArtifacts } from '@svc/postgres/risk/trust/trust-requirements.ts';
import type { CallContext } from '../../people/auth/acting.ts';

type SettingArtifacts = CallContext & { readonly agentId: string; readonly digests: readonly string[] };

/** Sets the artifacts of an agent. Evidence about an artifact counts from now on only if its digest is among them. */
export const setAgentArtifacts = async (
  { tx, emit }: Change<'agent.updated'>,
  { scope, now, agentId, digests }: SettingArtifacts,
): Promise<{ artifact_digests: string[] } | Refusal<'NOT_FOUND'>> => {
  const { organization_id } = scope;
  const agent = await lockTrustedAgent(tx, organization_id, agentId);
  if (agent === undefined) return buildRefusal('NOT_FOUND');
  const after = digests.toSorted();
  await putArtifacts(tx, organization_id, agentId, after, now);
  emit('agent.updated', {
    ...about.agent(agent),
    data: { before: { artifact_digests: agent.artifact_digests }, after: { artifact_digests: after } },
  });
  return { artifact_digests: after };
};
