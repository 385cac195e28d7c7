import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

const { countedMax } = LIMITS.emergency;

type Named = { readonly id: string; readonly name: string };

/** The parts of an organization that call other hosts, and the allowed hosts. */
export type Reachable = {
  readonly tools: readonly (Named & {
    readonly kind: 'HTTP' | 'MCP' | 'SDK';
    readonly allowlist: readonly string[];
    readonly destination_from: string | null;
    readonly server_url: string | null;
  })[];
  readonly token_urls: readonly string[];
  readonly webhook_urls: readonly string[];
  readonly server_urls: readonly string[];
  /** Shown addresses of chats: the host and the end of the URL. */
  readonly channel_addresses: readonly string[];
};

/** Reads what may call other hosts, of each kind at most one more than is counted. */
export const readReachable = async (tx: TenantTransaction, organizationId: string): Promise<Reachable> => {
  const tools = await sql<Reachable['tools'][number]>`
    select t.id, t.name, t.kind, t.destination_allowlist as allowlist, t.destination_from, s.transport ->> 'url' as server_url
      from tools t
      left join mcp_tools m on m.organization_id = t.organization_id and m.tool_id = t.id
      left join mcp_servers s on s.organization_id = m.organization_id and s.id = m.server_id
     where t.organization_id = ${organizationId} and t.status = 'ACTIVE' order by t.id limit ${countedMax + 1}`.execute(tx);
  const rest = await sql<Omit<Reachable, 'tools'>>`
    select array(select c.oauth ->> 'token_url' from credentials c where c.organization_id = ${organizationId} and c.status = 'ACTIVE'
              and c.oauth ->> 'token_url' is not null limit ${countedMax}) as token_urls,
           array(select w.url from webhook_subscriptions w where w.organization_id = ${organizationId} and w.status = 'ACTIVE'
             limit ${countedMax}) as webhook_urls,
           array(select s.transport ->> 'url' from mcp_servers s where s.organization_id = ${organizationId} and s.status <> 'DISABLED'
              and s.transport ->> 'url' is not null limit ${countedMax}) as server_urls,
           array(select n.address from notification_channels n where n.organization_id = ${organizationId} and n.status = 'ACTIVE'
             limit ${countedMax}) as channel_addresses`.execute(tx);
  const [row] = rest.rows;
  if (row === undefined) throw new Error('a count without a source has one row');
  return { tools: tools.rows, ...row };
};

/** Active agents that are authorized for one of these tools. */
export const countAgentsOfTools = async (tx: TenantTransaction, organizationId: string, toolIds: readonly string[]): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (select distinct t.agent_id from tool_agents t
       join agents a on a.organization_id = t.organization_id and a.id = t.agent_id and a.status = 'ACTIVE'
      where t.organization_id = ${organizationId} and t.tool_id = any (${[...toolIds]}::text[]) limit ${countedMax + 1}) n`.execute(tx);
  return rows[0]?.total ?? 0;
};
