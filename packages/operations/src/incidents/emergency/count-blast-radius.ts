import type { ControlBlastRadius, EmergencyControl } from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { BlockPattern } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import { liesInPattern, namesNoDestination, reachesPattern } from '@svc/domain/incidents/emergency/reachable-tools.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import {
  type CountedAgents,
  countAgentsWithin,
  countAgentsWithTool,
  countWithAgent,
} from '@svc/postgres/incidents/emergency/count-agents.ts';
import { countAgentsOfTools, readReachable } from '@svc/postgres/incidents/emergency/read-reachable.ts';
import type { ControlTarget } from './control-target.ts';

const { countedMax, namedMax } = LIMITS.emergency;

const capped = (count: number): number => Math.min(count, countedMax);

const getRadius = ({ agents, named, ...parts }: CountedAgents): ControlBlastRadius => ({
  number: capped(agents),
  unit: 'agents',
  parts: Object.fromEntries(Object.entries(parts).map(([kind, count]) => [kind, capped(count)])),
  counted_all: agents <= countedMax && Object.values(parts).every((count) => count <= countedMax),
  named: [...named],
  cannot_hold: [],
});

const named = (rows: readonly { readonly id: string; readonly name: string }[]) =>
  rows.slice(0, namedMax).map(({ id, name }) => ({ id, name }));

const countDestination = async (tx: TenantTransaction, organizationId: string, pattern: BlockPattern): Promise<ControlBlastRadius> => {
  const found = await readReachable(tx, organizationId);
  const reaching = found.tools.filter((tool) => reachesPattern(pattern, tool));
  const within = (urls: readonly string[]): number => urls.filter((url) => liesInPattern(pattern, url)).length;
  const agents = await countAgentsOfTools(
    tx,
    organizationId,
    reaching.map(({ id }) => id),
  );
  return {
    number: capped(reaching.length),
    unit: 'tools',
    parts: {
      agents: capped(agents),
      credentials: within(found.token_urls),
      webhooks: within(found.webhook_urls),
      mcp_servers: within(found.server_urls),
      channels: within(found.channel_addresses.map((address) => address.split(/[/\s…]/, 1)[0] ?? '')),
    },
    counted_all: found.tools.length <= countedMax,
    named: named(reaching),
    cannot_hold: named(found.tools.filter(namesNoDestination)),
  };
};

const ONE_MEMBER: Omit<ControlBlastRadius, 'named'> = { number: 1, unit: 'members', parts: {}, counted_all: true, cannot_hold: [] };

const countSessions = async (
  tx: TenantTransaction,
  organizationId: string,
  target: ControlTarget,
  now: Date,
): Promise<ControlBlastRadius> => {
  const { type, id, name } = target;
  if (type === 'member') return { ...ONE_MEMBER, named: [{ id, name }] };
  if (type === 'environment' || type === 'workspace' || type === 'organization')
    return getRadius(await countAgentsWithin(tx, organizationId, type, id, now));
  const { sessions } = await countWithAgent(tx, organizationId, id, now);
  return { number: 1, unit: 'agents', parts: { sessions: capped(sessions) }, counted_all: true, named: [{ id, name }], cannot_hold: [] };
};

/** Counts what a control stops at this moment. */
export const countBlastRadius = async (
  tx: TenantTransaction,
  organizationId: string,
  control: EmergencyControl,
  target: ControlTarget,
  now: Date,
): Promise<ControlBlastRadius> => {
  if (target.pattern !== undefined) return countDestination(tx, organizationId, target.pattern);
  if (control === 'isolate-agent') return getRadius(await countWithAgent(tx, organizationId, target.id, now));
  if (control === 'pause-environment') return getRadius(await countAgentsWithin(tx, organizationId, 'environment', target.id, now));
  if (control === 'disable-tool') return getRadius(await countAgentsWithTool(tx, organizationId, target.id, now));
  return countSessions(tx, organizationId, target, now);
};
