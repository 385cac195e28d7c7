import type { Posture } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

type Part = { readonly environment_id: string | undefined };

/** Every runtime of the organization that the caller sees, with its environment. */
export const listPostureRuntimes = (tx: TenantTransaction, organizationId: string, environmentId: string | undefined) =>
  tx
    .selectFrom('runtimes as r')
    .innerJoin('environments as e', (join) =>
      join.onRef('e.organization_id', '=', 'r.organization_id').onRef('e.id', '=', 'r.environment_id'),
    )
    .select([
      'r.id',
      'r.name',
      'r.kind',
      'r.status',
      'r.agent_id',
      'r.environment_id',
      'r.fail_closed',
      'r.settings',
      'r.enforcement_forecast',
    ])
    .select(['e.name as environment_name', 'e.mode', 'e.type as environment_type'])
    .where('r.organization_id', '=', organizationId)
    .$if(environmentId !== undefined, (query) => query.where('r.environment_id', '=', environmentId ?? ''))
    .orderBy('r.id')
    .limit(LIMITS.runtimes.perOrganizationMax)
    .execute();

type Counted = { readonly agents: number; readonly actions: Posture['actions_24h']; readonly findings: Posture['findings'] };

/** Counts agents, recent actions and findings of the part of the organization that the caller sees. */
export const countPosture = async (
  tx: TenantTransaction,
  organizationId: string,
  { environment_id, now, since }: Part & { readonly now: Date; readonly since: Date },
): Promise<Counted> => {
  const here = environment_id === undefined ? sql`true` : sql`environment_id = ${environment_id}`;
  const soon = new Date(now.getTime() + 14 * 86_400_000);
  const countedMax = LIMITS.pages.countedMax;
  const { rows } = await sql<Counted>`select
    (select count(*)::int from agents where organization_id = ${organizationId} and ${here} and status not in ('REVOKED', 'DECOMMISSIONED')) as agents,
    (select jsonb_build_object('total', count(*), 'from_runtimes', count(*) filter (where has_runtime)) from (
       select exists (select from runtimes r where r.organization_id = a.organization_id and r.agent_id = a.agent_id) as has_runtime
         from actions a where a.organization_id = ${organizationId} and ${here} and a.created_at >= ${since} limit ${countedMax}) recent) as actions,
    (select jsonb_build_object(
       'open', coalesce((select jsonb_object_agg(severity, n) from (select severity, count(*) as n from runtime_findings
                 where organization_id = ${organizationId} and ${here} and status = 'OPEN' group by severity) by_severity), '{}'),
       'contained', count(*) filter (where status = 'OPEN' and contained_by is not null),
       'accepted', count(*) filter (where status = 'ACCEPTED'),
       'accepted_expiring_14d', count(*) filter (where status = 'ACCEPTED' and accepted_until <= ${soon}),
       'dormant', count(*) filter (where status = 'OPEN' and dormant))
       from runtime_findings where organization_id = ${organizationId} and ${here}) as findings`.execute(tx);
  const [counted] = rows;
  if (!counted) throw new Error('counting returned no row');
  return counted;
};

/** Changes of status since a time, newest first. */
export const listRecentAssessments = (
  tx: TenantTransaction,
  organizationId: string,
  { environment_id, since, limit }: Part & { readonly since: Date; readonly limit: number },
) =>
  tx
    .selectFrom('runtime_assessments')
    .select(['runtime_id', 'before', 'status', 'at', 'cause'])
    .where('organization_id', '=', organizationId)
    .where('at', '>=', since.toISOString())
    .$if(environment_id !== undefined, (query) => query.where('environment_id', '=', environment_id ?? ''))
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();
