import type { PolicyDecision } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import type { Delegator } from '@svc/domain/agents/delegations/delegation.ts';
import { convertMinor } from '@svc/domain/money/fx-rates/convert.ts';
import { findRateRefusal } from '../facts/amounts.ts';
import { type Claim, getCounters } from '../facts/claims.ts';
import type { Facts } from '../facts/facts.ts';
import { type Refused, refuseStage } from '../facts/stage.ts';

type Limit = PolicyDecision['obligations']['limits'][number];

/** Amount of the request; `unsaid` if it is unknown whether it has one, which only occurs in simulations. */
export type LimitedAmount = { readonly amount: number; readonly currency: string } | null | 'unsaid';

export type LimitAnswer =
  | { readonly claims: readonly Claim[] }
  | { readonly refused: Refused<'VELOCITY_LIMIT_EXCEEDED' | 'UNPROCESSABLE'> };

const getReason = ({ matched_rules }: PolicyDecision, limit: Limit): string =>
  matched_rules.find(({ id, policy_id }) => id === limit.rule_id && policy_id === limit.policy_id)?.reason ?? '';

/** Returns the subject whose uses are added up. Authority of another person counts as theirs, however many agents it is spread over. */
const getSubject = ({ agent }: Facts, root: Delegator | undefined, { per }: Pick<Limit, 'per'>): string =>
  per === 'root_principal' && root !== undefined ? root.id : agent.agent_id;

const getSource = ({ policy_id, version_id, rule_id, per }: Limit) => ({
  policy_id,
  version_id,
  rule_id,
  ...(per === undefined ? {} : { per }),
});

/** Builds the refusal of a limit that no wait satisfies. */
const over = (limit: Limit, currency: string, reason: string, requested: number | null): LimitAnswer => ({
  refused: refuseStage('VELOCITY_LIMIT_EXCEEDED', reason, {
    limit: { ...getSource(limit), max_amount: limit.max_amount, currency, window_seconds: limit.window_seconds ?? null },
    requested,
    frees_at: null,
  }),
});

/** Converts the amount to the limit's currency, in minor units; null if the request states none, a refusal if there is no rate. */
const amountIn = (
  { environment, now }: Facts,
  asked: LimitedAmount,
  currency: string,
): number | null | ReturnType<typeof findRateRefusal> => {
  if (asked === null || asked === 'unsaid') return null;
  const converted = convertMinor(asked.amount, asked.currency, currency, environment.rates, now);
  return 'ok' in converted ? converted.ok : findRateRefusal(converted);
};

/** Thrown if a decision needs more counters than permitted: all organizations share these statements, so it is not counted. */
class TooManyCounters extends Error {
  constructor() {
    super('a decision takes from more counters than it may');
  }
}

/** Throws if there are too many claims. No policy that is put in force exceeds the bound; earlier ones may. */
const mustBeFew = (claims: readonly Claim[]): readonly Claim[] => {
  if (getCounters(claims) > POLICY_LIMITS.decision_counters_max) throw new TooManyCounters();
  return claims;
};

/**
 * Applies every limit of every matching rule: an amount of one action is compared immediately, counting over a window becomes a claim. A
 * limited amount must be known: omitting it does not bypass the limit. `root` is the delegator that the request's authority comes from.
 * Throws TooManyCounters.
 */
export const limitClaims = (facts: Facts, policy: PolicyDecision, asked: LimitedAmount, root: Delegator | undefined): LimitAnswer => {
  const claims: Claim[] = [];
  for (const limit of policy.obligations.limits) {
    const { max_amount, max_calls, window_seconds, currency = facts.environment.base_currency } = limit;
    const amount = max_amount === undefined ? null : amountIn(facts, asked, currency);
    if (amount !== null && typeof amount === 'object') return { refused: amount };
    const reason = getReason(policy, limit);
    if (max_amount !== undefined && amount === null && asked !== 'unsaid') {
      return over(limit, currency, `${reason} The request states no amount.`.trim(), null);
    }
    if (max_amount !== undefined && amount !== null && amount > max_amount) return over(limit, currency, reason, amount);
    if (window_seconds === undefined) continue;
    claims.push({
      // The store counts calls and the amounts of each currency separately.
      counter: `limit:${limit.policy_id}:${limit.rule_id}:${getSubject(facts, root, limit)}`,
      window_seconds,
      max_calls: max_calls ?? null,
      max_amount: max_amount ?? null,
      currency: max_amount === undefined ? null : currency,
      amount: amount ?? 0,
      code: 'VELOCITY_LIMIT_EXCEEDED',
      label: reason,
      source: getSource(limit),
    });
  }
  return { claims: mustBeFew(claims) };
};
