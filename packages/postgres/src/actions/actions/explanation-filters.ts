import type { ActionSearch } from '@svc/contract/actions/actions.ts';
import { type RawBuilder, sql } from 'kysely';

/** The deciding rule of a stored explanation as `[rule id, index of its source]`; null if no rule decided. */
const deciding = sql`(explanation->'rules'->(explanation->>'matched_rule')::int)`;
/** True for explanations that name the deciding rule by its index; explanations of first releases hold it whole. */
const isFolded = sql`(explanation->>'folded') is not null`;

const decidingRule = sql<string | null>`(case when ${isFolded} then ${deciding}->>0 else explanation->'matched_rule'->>'id' end)`;
const decidingPolicy = sql<string | null>`(case when ${isFolded} then explanation->'sources'->(${deciding}->>1)::int->>0
  else explanation->'matched_rule'->>'policy_id' end)`;

const underDelegation = (id: string): RawBuilder<boolean> => sql<boolean>`(explanation->'authority'->>'delegation_id' = ${id}
  or case when json_typeof(explanation->'authority'->'chain') = 'array' then exists (
    select from json_array_elements(explanation->'authority'->'chain') link where link->>'delegation_id' = ${id}) else false end)`;

/** Filters by the explanation of an action: the rule that decided it, and its delegation. */
export const explanationFilters = ({
  policy_id,
  rule,
  delegation_id,
}: Pick<ActionSearch, 'policy_id' | 'rule' | 'delegation_id'>): readonly RawBuilder<boolean>[] => [
  ...(policy_id === undefined ? [] : [sql<boolean>`${decidingPolicy} = ${policy_id}`]),
  ...(rule === undefined ? [] : [sql<boolean>`${decidingRule} = ${rule}`]),
  ...(delegation_id === undefined ? [] : [underDelegation(delegation_id)]),
];
