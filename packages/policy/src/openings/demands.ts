import type { PolicyObligations } from '@svc/contract/actions/obligations.ts';
import { type PathSegment, parsePath } from '../values/path.ts';

type Approval = PolicyObligations['approvals'][number];
type Limit = PolicyObligations['limits'][number];
export type Mask = NonNullable<PolicyObligations['mask']>;

/**
 * Returns true if an approval that satisfies `approval` also satisfies `other`: the same role, no more people who may approve, and no fewer
 * who have to.
 */
export const isApprovalAsStrict = (approval: Approval, other: Approval): boolean => {
  const named = new Set(other.approvers ?? []);
  const escalates = approval.escalate_to_role !== undefined;
  const isEscalationAsStrict =
    !escalates ||
    (approval.escalate_to_role === other.escalate_to_role && (approval.escalate_after_seconds ?? 0) >= (other.escalate_after_seconds ?? 0));
  return (
    approval.approver_role === other.approver_role &&
    approval.quorum >= other.quorum &&
    (approval.step_up || !other.step_up) &&
    (approval.approvers ?? []).every((id) => named.has(id)) &&
    isEscalationAsStrict
  );
};

/** Returns true if uses are added up at least as widely: those of all agents of one person instead of those of each agent. */
const isPerAsStrict = ({ per = 'agent' }: Limit, other: Limit): boolean => per === (other.per ?? 'agent') || per === 'root_principal';

/** Returns true if a request within `limit` is also within `other`. */
export const isLimitAsStrict = (limit: Limit, other: Limit): boolean => {
  const isWindowed = other.window_seconds !== undefined;
  const isWindowAsStrict =
    other.window_seconds === undefined
      ? limit.window_seconds === undefined
      : limit.window_seconds !== undefined && limit.window_seconds >= other.window_seconds;
  // An amount that many calls may not exceed together is one that none of them exceeds.
  const isAmountWindowAsStrict = isWindowAsStrict || !isWindowed;
  const isAmountAsStrict =
    other.max_amount === undefined ||
    (limit.max_amount !== undefined && limit.max_amount <= other.max_amount && limit.currency === other.currency && isAmountWindowAsStrict);
  const areCallsAsStrict =
    other.max_calls === undefined || (limit.max_calls !== undefined && limit.max_calls <= other.max_calls && isWindowAsStrict);
  return isAmountAsStrict && areCallsAsStrict && (!isWindowed || isPerAsStrict(limit, other));
};

/**
 * Returns true if uses of both are counted together: a limit under another rule id, or per another subject, starts at zero, regardless of
 * earlier uses.
 */
export const isCountedTogether = (limit: Limit, other: Limit): boolean =>
  limit.policy_id === other.policy_id && limit.rule_id === other.rule_id && (limit.per ?? 'agent') === (other.per ?? 'agent');

const segmentsOf = (path: string): readonly PathSegment[] => {
  const parsed = parsePath(path);
  return 'segments' in parsed ? parsed.segments : [];
};

const covers = (outer: readonly PathSegment[], inner: readonly PathSegment[], at = 0, place = 0): boolean => {
  const [first, other] = [outer[at], inner[place]];
  if (first === undefined) return true;
  // A `*` also masks one value in place of a list.
  if (first.each) return (other !== undefined && covers(outer, inner, at + 1, place + 1)) || covers(outer, inner, at + 1, place);
  return other !== undefined && !other.each && other.key === first.key && covers(outer, inner, at + 1, place + 1);
};

/** Returns true if the first path masks everything that the second one masks. */
export const isPathCovered = (covering: string, path: string): boolean => {
  if (covering === path || covering === '**') return true;
  const outer = segmentsOf(covering);
  return outer.length > 0 && path !== '**' && covers(outer, segmentsOf(path));
};

/** Returns the paths of a mask, each with the part of the action that it applies to. */
export const maskPaths = ({ parameters, result }: Mask): (readonly ['parameters' | 'result', string])[] => [
  ...parameters.map((path) => ['parameters', path] as const),
  ...result.map((path) => ['result', path] as const),
];
