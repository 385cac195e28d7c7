import { BULK_ENDS, type BulkOperation, type BulkPreview } from '@svc/contract/agents/fleet/bulk.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { judgeStep } from '@svc/domain/agents/fleet/judge-step.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readBlastRadii } from '@svc/postgres/agents/fleet/blast-radius.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';
import { BULK_PERMISSIONS } from './bulk/bulk-permissions.ts';

const ENDS: Readonly<Record<BulkOperation, BulkPreview['ends']>> = { pause: [], resume: [], suspend: ['sessions'], revoke: [...BULK_ENDS] };

/**
 * Counts what resuming ends: pending approvals of agents that were suspended or isolated are withdrawn; resuming from a pause withdraws
 * nothing.
 */
const endsOf = (operation: BulkOperation, froms: readonly (AgentStatus | null)[]): BulkPreview['ends'] =>
  operation === 'resume' && froms.some((from) => from !== 'PAUSED') ? ['approvals'] : ENDS[operation];

const NOTHING = { sessions: 0, delegations: 0, approvals: 0, tools: 0 };

/** Previews a bulk operation at this moment. It takes no locks: later changes are evaluated again by the operation. */
export const previewBulkChange: Handler<Endpoints['previewBulkChange'], AgentsDeps> = async (call) => {
  const { agent_ids, operation } = call.body;
  const { organization_id } = call.scope;
  const found = await searchInTenant(call.database, call.scope, (tx) => readBlastRadii(tx, organization_id, agent_ids, call.now));
  const there = new Map(found.agents.map(({ agent_id, status, ...blast_radius }) => [agent_id, { status, blast_radius }]));
  const mayLift = { SUSPENSION: call.holds('agent:suspend'), ISOLATION: call.holds('emergency:execute') };
  const agents = agent_ids.map((agent_id) => {
    const agent = there.get(agent_id);
    const { outcome, ...judged } = judgeStep(operation, agent?.status ?? null, mayLift);
    return { agent_id, outcome, ...judged, allowed: outcome !== 'REFUSED', blast_radius: agent?.blast_radius ?? NOTHING };
  });
  const count = (wanted: string) => agents.filter(({ outcome }) => outcome === wanted).length;
  return {
    operation,
    ends: endsOf(
      operation,
      agents.flatMap(({ outcome, from }) => (outcome === 'CHANGED' ? [from] : [])),
    ),
    permissions_lacking: call.lacks(['agent:revoke', ...BULK_PERMISSIONS[operation]]),
    agents: agents.map(({ outcome: _, ...agent }) => agent),
    total: { agents: count('CHANGED'), refused: count('REFUSED'), blast_radius: found.total, counted_all: found.counted_all },
  };
};
