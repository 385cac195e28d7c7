import type { Posture } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import { type EnforcementStatus, RUNTIME_KINDS } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { weakest } from '@svc/domain/runtimes/runtimes/enforcement-order.ts';
import { enforcementAt, refuseByRuntime } from '@svc/domain/runtimes/runtimes/runtime-standing.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { countPosture, listPostureRuntimes, listRecentAssessments } from '@svc/postgres/runtimes/runtimes/posture.ts';

type Asked = { readonly now: Date; readonly environment_id: string | undefined };
type Placed = Awaited<ReturnType<typeof listPostureRuntimes>>[number] & { readonly now_status: EnforcementStatus };

const CHANGES_MAX = 100;
const DAY_MS = 86_400_000;

const countStatuses = (runtimes: readonly Placed[]): Posture['counts'] => {
  const counts = { BYPASSED: 0, UNKNOWN: 0, DETECTED: 0, PARTIAL: 0, ENFORCED: 0 };
  for (const { now_status } of runtimes) counts[now_status] += 1;
  return counts;
};

const weakestStatus = (runtimes: readonly Placed[]): EnforcementStatus =>
  weakest(runtimes.map(({ now_status }) => now_status)) ?? 'UNKNOWN';

const byEnvironment = (runtimes: readonly Placed[]): Posture['by_environment'] =>
  [...Map.groupBy(runtimes, ({ environment_id }) => environment_id)].map(([environment_id, here]) => ({
    ...{ environment_id, name: here[0]?.environment_name ?? '', mode: here[0]?.mode ?? '' },
    ...{ status: weakestStatus(here), runtimes: here.length },
  }));

const byKind = (runtimes: readonly Placed[]): Posture['by_kind'] =>
  RUNTIME_KINDS.flatMap((kind) => {
    const here = runtimes.filter((runtime) => runtime.kind === kind);
    return here.length === 0 ? [] : [{ kind, status: weakestStatus(here), runtimes: here.length }];
  });

const nextFall = (runtimes: readonly Placed[], now: Date): Posture['next_fall'] => {
  const falls = runtimes.flatMap(({ id, now_status, enforcement_forecast }) => {
    const next = enforcement_forecast.find(({ from }) => Date.parse(from) > now.getTime());
    return next === undefined ? [] : [{ at: next.from, runtime_id: id, from: now_status, to: next.status }];
  });
  return falls.toSorted((one, other) => (one.at < other.at ? -1 : 1))[0] ?? null;
};

const notKnown = (runtimes: readonly Placed[], withoutRuntime: number): string[] => [
  ...(withoutRuntime > 0 ? [`${withoutRuntime} agents have no runtime, so it is not known if they bypass the service.`] : []),
  ...runtimes
    .filter(({ now_status }) => now_status === 'UNKNOWN')
    .slice(0, 20)
    .map(({ name }) => `${name}: no fresh evidence.`),
];

/** Computes the posture of the organization, or of the caller's scope, from evidence. */
export const readPosture = async (tx: TenantTransaction, organizationId: string, { now, environment_id }: Asked): Promise<Posture> => {
  const rows = await listPostureRuntimes(tx, organizationId, environment_id);
  const runtimes = rows.map((row): Placed => ({ ...row, now_status: enforcementAt(row, now) }));
  const since = new Date(now.getTime() - DAY_MS);
  const counted = await countPosture(tx, organizationId, { environment_id, now, since });
  const changes = await listRecentAssessments(tx, organizationId, { environment_id, since, limit: CHANGES_MAX });
  const production = runtimes.filter(({ status, environment_type }) => status === 'ACTIVE' && environment_type === 'PRODUCTION');
  const agents = new Set(runtimes.flatMap(({ agent_id }) => agent_id ?? []));
  const refused = new Set(runtimes.filter((row) => refuseByRuntime(row, now) !== undefined).flatMap(({ agent_id }) => agent_id ?? []));
  const without = Math.max(0, counted.agents - agents.size);
  return {
    computed_at: now.toISOString(),
    overall: weakestStatus(production),
    counts: countStatuses(runtimes),
    by_environment: byEnvironment(runtimes),
    by_kind: byKind(runtimes),
    agents: { total: counted.agents, with_runtime: agents.size, without_runtime: without, refused_by_runtime: refused.size },
    actions_24h: counted.actions,
    findings: counted.findings,
    next_fall: nextFall(runtimes, now),
    changes_24h: changes.map(({ runtime_id, before, status, at, cause }) => ({ runtime_id, from: before, to: status, at, cause })),
    not_known: notKnown(runtimes, without),
  };
};
