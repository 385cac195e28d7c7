import { type CounterBound, type CounterTally, newCounterTally } from '@svc/policy/cost/counter-tally.ts';
import { newWorkTally, WORK_OF_REQUEST, type WorkBound, type WorkTally } from '@svc/policy/cost/work-of-versions.ts';
import type { PolicySource } from '@svc/policy/judge/compile-version.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { newTurns } from '../../governance/take-turns.ts';
import { preparePatterns, readRules } from '../../governance/version-rules.ts';

type Row = Omit<PolicySource, 'binding' | 'body'> & {
  readonly scope: PolicySource['binding']['scope'];
  readonly target_id: string;
  readonly workspace_id: string | null;
  readonly environment_id: string | null;
  readonly rule_count: number;
  readonly rule_bytes: number;
  readonly rules_hash: string;
};

/** Counts of everything in force in an organization: rules once per binding, bytes once per version. */
export type InForce = {
  readonly rows: readonly Row[];
  readonly policies: number;
  readonly rules: number;
  readonly bytes: number;
};

/** Counts what is in force, without the rules themselves. */
export const countInForce = async (tx: TenantTransaction, organizationId: string): Promise<InForce> => {
  const { rows } = await sql<Row>`
    with active as materialized (
      select p.id as policy_id, p.name as policy_name, v.id as version_id, v.version_number, v.currency,
             json_array_length(v.rules) as rule_count, octet_length(v.rules::text) as rule_bytes,
             hashtextextended(v.rules::text, 0)::text as rules_hash
        from policy_versions v
        join policies p on p.organization_id = v.organization_id and p.id = v.policy_id
       where v.organization_id = ${organizationId} and v.status = 'ACTIVE'
    )
    select a.*, b.scope, b.target_id, coalesce(e.workspace_id, g.workspace_id) as workspace_id, g.environment_id
      from active a
      join policy_bindings b on b.organization_id = ${organizationId} and b.policy_id = a.policy_id
      left join environments e on b.scope = 'ENVIRONMENT' and e.organization_id = ${organizationId} and e.id = b.target_id
      left join agents g on b.scope = 'AGENT' and g.organization_id = ${organizationId} and g.id = b.target_id`.execute(tx);
  const versions = new Map(rows.map((row) => [row.version_id, row.rule_bytes]));
  return {
    rows,
    policies: versions.size,
    rules: rows.reduce((sum, { rule_count }) => sum + rule_count, 0),
    bytes: [...versions.values()].reduce((sum, bytes) => sum + bytes, 0),
  };
};

type Place = {
  readonly scope: Row['scope'];
  readonly id: string;
  readonly above: string;
  readonly work: WorkTally;
  readonly counters: CounterTally;
};

/** Returns the enclosing scopes whose policies apply as well. */
const aboveOf = ({ scope, workspace_id, environment_id }: Row): string => {
  if (scope === 'AGENT') return `ENVIRONMENT ${environment_id} WORKSPACE ${workspace_id}`;
  return scope === 'ENVIRONMENT' ? `WORKSPACE ${workspace_id}` : '';
};

/** Returns the maximum over all sources of requests, including the enclosing scopes. */
const most = <Bound>(
  places: readonly Place[],
  boundOf: (place: Place) => Bound,
  much: (bound: Bound) => number,
): { readonly sum: number; readonly parts: readonly Bound[] } => {
  const bounds = new Map(places.map((place) => [`${place.scope} ${place.id}`, { place, bound: boundOf(place) }]));
  const sumOf = (parts: readonly Bound[]): number => parts.reduce((total, part) => total + much(part), 0);
  const whole = [...bounds.values()].filter(({ place }) => place.scope === 'ORGANIZATION').map(({ bound }) => bound);
  let found = { sum: sumOf(whole), parts: whole };
  for (const { place, bound } of bounds.values()) {
    if (place.scope === 'ORGANIZATION') continue;
    const around = place.above.match(/(ENVIRONMENT|WORKSPACE) \S+/g) ?? [];
    const parts = [...whole, ...around.flatMap((key) => bounds.get(key)?.bound ?? []), bound];
    const sum = sumOf(parts);
    if (sum > found.sum) found = { sum, parts };
  }
  return found;
};

const NAMED_MAX = 5;

/** Returns the cost of the most expensive request in the most expensive scope. */
const dearest = (places: readonly Place[]): WorkBound => {
  const { sum, parts } = most(
    places,
    ({ work }) => work.bound(),
    ({ work }) => work,
  );
  const heaviest = parts.flatMap((part) => part.heaviest).toSorted((left, right) => right.work - left.work);
  return { work: WORK_OF_REQUEST + sum, heaviest: heaviest.slice(0, NAMED_MAX) };
};

const mostCounted = (places: readonly Place[]): CounterBound => {
  const { sum, parts } = most(
    places,
    ({ counters }) => counters.bound(),
    ({ counters }) => counters,
  );
  const counting = parts.flatMap((part) => part.counting).toSorted((left, right) => right.counters - left.counters);
  return { counters: sum, counting: counting.slice(0, NAMED_MAX) };
};

/** The maximum cost of a decision with everything in force: units of about a nanosecond, and counters. */
export type DecisionBound = WorkBound & CounterBound;

/** Works in time slices. */
export const workInForce = async (tx: TenantTransaction, organizationId: string, { rows }: InForce): Promise<DecisionBound> => {
  const rules = await readRules(tx, organizationId, rows);
  const turn = newTurns();
  const places = new Map<string, Place>();
  for (const row of rows) {
    const body = { rules: rules.get(row.version_id) ?? [], tests: [] };
    await preparePatterns(body.rules, turn);
    const { scope, target_id: id } = row;
    const key = `${scope} ${id}`;
    const place = places.get(key) ?? { scope, id, above: aboveOf(row), work: newWorkTally(), counters: newCounterTally() };
    places.set(key, place);
    const source = { ...row, binding: { scope, id }, body };
    place.work.add(source);
    place.counters.add(source);
    await turn();
  }
  const all = [...places.values()];
  return { ...dearest(all), ...mostCounted(all) };
};
