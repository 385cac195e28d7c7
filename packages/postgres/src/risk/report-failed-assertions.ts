import type { AgentHome } from '../agents/identity/find-agent-home.ts';
import type { Database } from '../connection/connect.ts';
import { inTenant } from '../connection/in-tenant.ts';
import { leaveRiskNotices } from './risk-events.ts';

/** Failed sign-ins that name an agent, as one gateway counted them. */
export type FailedSignIns = {
  readonly agentId: string;
  readonly count: number;
  readonly networks: readonly string[];
  readonly firstMs: number;
  readonly lastMs: number;
};

/**
 * Leaves a finding of the signal `assertion_failures` for the job that makes risk events. It has no points: anyone who knows the id of an agent
 * can cause it.
 */
export const reportFailedAssertions = (
  database: Database,
  { organization_id }: AgentHome,
  { agentId, count, networks, firstMs, lastMs }: FailedSignIns,
): Promise<void> =>
  inTenant(database, { organization_id }, async (tx) => {
    const agent = await tx
      .selectFrom('agents')
      .select(['workspace_id', 'environment_id'])
      .where('organization_id', '=', organization_id)
      .where('id', '=', agentId)
      .executeTakeFirst();
    if (agent === undefined) return;
    await leaveRiskNotices(tx, [
      {
        ...{ organization_id, ...agent, agent_id: agentId, signal: 'assertion_failures', subject: agentId, points: 0, score: 0 },
        sentence: `${count} sign-ins that name this agent failed within minutes. They do not change its risk.`,
        evidence: { failures: count, networks },
        ...{ count, first_at: new Date(firstMs).toISOString(), last_at: new Date(lastMs).toISOString(), last_action_id: null },
      },
    ]);
  });
