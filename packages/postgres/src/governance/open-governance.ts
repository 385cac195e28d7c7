import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isChainFault } from '@svc/domain/agents/delegations/walk-chain.ts';
import type { ApprovalFacts } from '@svc/enforcement/facts/facts.ts';
import type { AgentSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import { sql } from 'kysely';
import { findRemedy } from '../actions/approvals/exclusions.ts';
import type { Database } from '../connection/connect.ts';
import { readInTenant } from '../connection/in-tenant.ts';
import type { Recorder } from '../recorder/open-recorder.ts';
import { fitApproval } from './fit-approval.ts';
import { loadAgent } from './load-agent.ts';
import { type LoadedEnvironment, loadEnvironment } from './load-environment.ts';
import { loadHeavyInTurn } from './load-heavy-in-turn.ts';
import { openContexts } from './open-contexts.ts';
import { readAgentEpoch, readEnvironmentEpoch } from './read-epoch.ts';
import { rememberUnfit } from './remember-unfit.ts';
import { newSnapshotCache } from './snapshot-cache.ts';

const { environmentBytesMax, agentBytesMax } = LIMITS.snapshots;
const BYTES_PER_AGENT = 4_096;
const BYTES_PER_NAME = 64;
const BYTES_PER_CHAIN = 4_096;
const BYTES_PER_KEY = 256;

const agentBytes = ({ capability_names, tool_ids, ended_sessions, chains, keys }: AgentSnapshot): number =>
  BYTES_PER_AGENT +
  keys.length * BYTES_PER_KEY +
  (capability_names.length + tool_ids.size + ended_sessions.size) * BYTES_PER_NAME +
  [...chains.values()].reduce((sum, one) => sum + (isChainFault(one) ? 1 : one.chain.length) * BYTES_PER_CHAIN, 0);

/** Cached governance state. Nothing here decides whether it is fresh: the statement that records, or `isCurrent`, does. */
export const openGovernance = (database: Database, recorder: Recorder, clock: () => Date): Ports['governance'] => {
  const loadEnvironmentOnce = rememberUnfit(
    loadHeavyInTurn((organizationId, id) => loadEnvironment(database, organizationId, id)),
    (organizationId, id) => readEnvironmentEpoch(database, organizationId, id),
  );
  const environments = newSnapshotCache(loadEnvironmentOnce, {
    bytesMax: environmentBytesMax,
    bytesOf: ({ held_bytes }) => held_bytes,
  });
  const loadAgentOnce = rememberUnfit(
    (organizationId, id) => loadAgent(database, organizationId, id),
    (organizationId, id) => readAgentEpoch(database, organizationId, id),
  );
  const agents = newSnapshotCache(loadAgentOnce, {
    bytesMax: agentBytesMax,
    bytesOf: agentBytes,
  });
  return {
    environment: environments.get,
    agent: agents.get,
    contexts: openContexts(database, clock),
    forget: (environment, agent) => {
      environments.forget(environment.environment_id, environment as LoadedEnvironment);
      agents.forget(agent.agent_id, agent);
    },
    isCurrent: (environment, agent, unproven) =>
      recorder.epochsStand({
        organization_id: environment.organization_id,
        environment_id: environment.environment_id,
        agent_id: agent.agent_id,
        environment_epoch: environment.epoch,
        agent_epoch: agent.epoch,
        unproven,
      }),
  };
};

/** Returns the current state of one approval; never cached, since using it changes it. */
export const findApproval = (database: Database, organizationId: string, approvalId: string): Promise<ApprovalFacts | null> =>
  readInTenant(database, { organization_id: organizationId }, async (tx) => {
    const row = await tx
      .selectFrom('approvals as p')
      .innerJoin('actions as a', (join) => join.onRef('a.organization_id', '=', 'p.organization_id').onRef('a.id', '=', 'p.action_id'))
      .select([
        'p.id',
        'p.action_id',
        'p.agent_id',
        'p.status',
        'p.request_hash',
        'p.expires_at',
        'p.consumed_by_key',
        'p.consumed_by_hash',
      ])
      .select([
        'p.approver_roles',
        'p.role_quorums',
        'p.approver_groups',
        'p.quorum',
        'p.step_up',
        'p.approved_by',
        'p.separation',
        'p.asked_labels',
      ])
      .select(sql<boolean>`p.restored_at is not null`.as('is_restored'))
      .select(sql<string | null>`a.explanation #>> '{authority,root_principal,id}'`.as('root_principal_id'))
      .where('p.organization_id', '=', organizationId)
      .where('p.id', '=', approvalId)
      .executeTakeFirst();
    if (!row) return null;
    const { consumed_by_key, consumed_by_hash, request_hash, ...rest } = row;
    const remedy = row.status === 'PENDING' ? await findRemedy(tx, approvalId) : null;
    return fitApproval({
      ...rest,
      remedy,
      request_hash: request_hash.toString('hex'),
      consumed_by: consumed_by_key && consumed_by_hash ? { key: consumed_by_key, hash: consumed_by_hash.toString('hex') } : null,
    });
  });
