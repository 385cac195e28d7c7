import type { TrustRequirement } from '@svc/contract/risk/trust/trust-shapes.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

type Requiring = 'environments' | 'tools';

const select = (tx: TenantTransaction, table: Requiring, organizationId: string, id: string) =>
  tx
    .selectFrom(table)
    .select(['id', 'name', 'workspace_id', 'requires_trust'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id);

export const findRequirement = (tx: TenantTransaction, table: Requiring, organizationId: string, id: string) =>
  select(tx, table, organizationId, id).executeTakeFirst();

/** Reads a requirement and locks it until the transaction ends. */
export const lockRequirement = (tx: TenantTransaction, table: Requiring, organizationId: string, id: string) =>
  select(tx, table, organizationId, id).forUpdate().executeTakeFirst();

/** The environment of a tool. */
export const findToolEnvironment = (tx: TenantTransaction, organizationId: string, toolId: string) =>
  tx
    .selectFrom('tools')
    .select('environment_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', toolId)
    .executeTakeFirstOrThrow();

export const putRequirement = async (
  tx: TenantTransaction,
  table: Requiring,
  organizationId: string,
  id: string,
  requires: TrustRequirement | null,
): Promise<void> => {
  await tx
    .updateTable(table)
    .set({ requires_trust: requires === null ? null : JSON.stringify(requires) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
};

/** Tools that require evidence and that an agent may use, by name. */
export const listRequiringTools = (tx: TenantTransaction, organizationId: string, agentId: string, max: number) =>
  tx
    .selectFrom('tools')
    .innerJoin('tool_agents as g', (join) =>
      join.onRef('g.organization_id', '=', 'tools.organization_id').onRef('g.tool_id', '=', 'tools.id').on('g.agent_id', '=', agentId),
    )
    .select(['tools.id', 'tools.name', 'tools.requires_trust'])
    .where('tools.organization_id', '=', organizationId)
    .where('tools.requires_trust', 'is not', null)
    .orderBy('tools.name')
    .limit(max)
    .execute();

export type TrustedAgent = {
  readonly id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly key_thumbprint: string;
  readonly artifact_digests: readonly string[];
  /** Ids of those who registered it or created a key of it; null for an unrecorded one. */
  readonly makers: readonly (string | null)[];
};

const selectAgent = (tx: TenantTransaction, organizationId: string, agentId: string) =>
  tx
    .selectFrom('agents')
    .innerJoin('agent_keys as k', (join) =>
      join
        .onRef('k.organization_id', '=', 'agents.organization_id')
        .onRef('k.agent_id', '=', 'agents.id')
        .onRef('k.generation', '=', 'agents.key_generation'),
    )
    .select([
      'agents.id',
      'agents.name',
      'agents.workspace_id',
      'agents.environment_id',
      'k.thumbprint as key_thumbprint',
      'agents.artifact_digests',
    ])
    .where('agents.organization_id', '=', organizationId)
    .where('agents.id', '=', agentId);

/** People and API keys that created a key of the agent, and the people who created these API keys. Null for an unrecorded one. */
const listMakers = async (tx: TenantTransaction, organizationId: string, agentId: string): Promise<readonly (string | null)[]> => {
  const { rows } = await sql<{ maker: string | null }>`
    select made_by as maker from agent_keys where organization_id = ${organizationId} and agent_id = ${agentId}
     union select p.created_by from agent_keys k join api_keys p on p.organization_id = k.organization_id and p.id = k.made_by
            where k.organization_id = ${organizationId} and k.agent_id = ${agentId}`.execute(tx);
  return rows.map(({ maker }) => maker);
};

/** The agent as evidence has to name it. */
export const findTrustedAgent = async (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string,
): Promise<TrustedAgent | undefined> => {
  const agent = await selectAgent(tx, organizationId, agentId).executeTakeFirst();
  return agent && { ...agent, makers: await listMakers(tx, organizationId, agentId) };
};

/** The same, locked: no key and no artifact of it changes until the transaction ends. */
export const lockTrustedAgent = async (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string,
): Promise<TrustedAgent | undefined> => {
  const agent = await selectAgent(tx, organizationId, agentId).forUpdate('agents').executeTakeFirst();
  return agent && { ...agent, makers: await listMakers(tx, organizationId, agentId) };
};

export const putArtifacts = async (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string,
  digests: readonly string[],
  now: Date,
): Promise<void> => {
  await tx
    .updateTable('agents')
    .set({ artifact_digests: [...digests], updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', agentId)
    .execute();
};
