import type { ConditionTrace, ConsultedRule, MatchedRule } from '@svc/contract/policies/language.ts';
import { formatMoney } from '../../data/money-text.ts';
import { formatComparison, isAmount } from '../../design/condition-text.ts';
import type { Action } from './action.ts';

export type Rule = ConsultedRule;

type AuthorityLink = {
  readonly delegation_id: string | null;
  readonly delegator: { readonly type: string; readonly id: string };
  readonly delegate_agent_id: string;
  readonly narrows?: readonly { readonly field: string; readonly left: { readonly items: readonly string[]; readonly more?: number } }[];
  readonly ceiling?: {
    readonly max_amount?: number;
    readonly currency?: string;
    readonly max_calls?: number;
    readonly window_seconds?: number;
  };
  readonly expires_at: string | null;
};

/** The part of an explanation about authority, as the service records it. */
export type Authority = {
  readonly source: 'GRANT' | 'DELEGATION';
  readonly capability: string | null;
  readonly held: boolean;
  readonly authorized_for_tool: boolean;
  readonly delegation_id?: string;
  readonly chain?: readonly AuthorityLink[];
  readonly refused?: { readonly code: string; readonly reason: string; readonly at?: string | null; readonly field?: string };
};
export type { AuthorityLink };

export const getAuthority = ({ explanation }: Pick<Action, 'explanation'>): Partial<Authority> =>
  explanation.authority as Partial<Authority>;
export const getDecidingRule = ({ explanation }: Pick<Action, 'explanation'>): MatchedRule | null =>
  explanation.matched_rule as MatchedRule | null;

const RANK = { matched: 1, unknown: 2, not_matched: 3 } as const;

/** The rules that were evaluated: the deciding one first, then those that matched, are unknown, and did not match. */
export const getRules = (action: Action): readonly Rule[] => {
  const deciding = getDecidingRule(action);
  const isDeciding = (rule: Rule): boolean => rule.id === deciding?.id && rule.version_id === deciding.version_id;
  const rank = (rule: Rule): number => (isDeciding(rule) ? 0 : RANK[rule.outcome]);
  return (action.explanation.matched_rules as unknown as readonly Rule[]).toSorted((one, other) => rank(one) - rank(other));
};

export const UNKNOWN_WORDS: Readonly<Record<NonNullable<ConditionTrace['unknown_because']>, string>> = {
  missing: 'the request does not have it',
  wrong_type: 'its value has another type',
  too_long: 'its value is too long',
};

/** A condition in words, with the expected value. */
export const formatCondition = ({ field, op, expected }: ConditionTrace, currency: string | null): string =>
  formatComparison({ field, op, value: expected }, currency);

/** How far a number is from the limit of its condition; undefined where the condition compares no numbers. */
export const formatDistance = ({ field, op, expected, actual }: ConditionTrace, currency: string | null): string | undefined => {
  if (typeof expected !== 'number' || typeof actual !== 'number' || !/^(gt|gte|lt|lte|eq)$/.test(op)) return undefined;
  const apart = actual - expected;
  if (apart === 0) return 'exactly the limit';
  const text = isAmount(field) ? formatMoney(Math.abs(apart), currency) : String(Math.abs(apart));
  return `${text} ${apart > 0 ? 'above' : 'below'} the limit`;
};
