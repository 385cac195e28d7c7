import type { RiskScores } from '@svc/contract/risk/risk-settings.ts';
import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { sql } from 'kysely';
import type { SummaryRange } from '../actions/actions/summarize-actions.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { madeBetween } from '../lists/made-between.ts';

const { scoredDecisionsMax } = RISK_LIMITS;

type Row = { readonly found: number; readonly scores: RiskScores['scores'] };

/** Counts decisions of an environment by risk score. Reads a bounded number of them, the most recent ones first. */
export const countRiskScores = async (
  tx: TenantTransaction,
  organizationId: string,
  environmentId: string,
  range: SummaryRange,
): Promise<RiskScores> => {
  const [from, to] = [range.from.toISOString(), range.to.toISOString()];
  const { first, last } = madeBetween('act', { from, to });
  const { rows } = await sql<Row>`
    with found as materialized (
      select coalesce((explanation->'risk'->>'score')::int, 0) as score from actions
       where organization_id = ${organizationId} and id >= ${first} and id <= ${last} and environment_id = ${environmentId}
         and created_at >= ${from} and created_at <= ${to}
       order by id desc limit ${scoredDecisionsMax + 1}),
    part as (select score from found limit ${scoredDecisionsMax})
    select (select count(*)::int from found) as found,
      (select coalesce(json_agg(json_build_object('score', s.score, 'decisions', s.n) order by s.score desc), '[]')
         from (select score, count(*)::int as n from part where score > 0 group by score) s) as scores`.execute(tx);
  const { found, scores } = rows[0] ?? { found: 0, scores: [] };
  return { from, to, decisions: Math.min(found, scoredDecisionsMax), counted_all: found <= scoredDecisionsMax, scores };
};
