import type { ReplayChange, ReplayOutcome } from '@svc/contract/policies/replay.ts';
import type { Effect } from '@svc/contract/tables/vocabulary.ts';
import { OutOfWork } from '../evaluation/node.ts';
import type { PolicySet } from '../judge/compile-set.ts';
import { strictness } from '../language/effects.ts';
import { asksForSame, type Contribution, contribution, type Doubtful, type Recalled } from './contribution.ts';

/** The results of two versions for one recalled request. */
export type JudgedChange =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unknown'; readonly fields: readonly string[] }
  | { readonly kind: ReplayChange; readonly from: ReplayOutcome; readonly to: ReplayOutcome };

export type ChangeSets = { readonly removed: PolicySet; readonly added: PolicySet; readonly unchanged: PolicySet };

const UNCHANGED: JudgedChange = { kind: 'unchanged' };
const NO_RULE: ReplayOutcome = { effect: 'BLOCK', policy_id: null, rule: null };

/** The deciding strictness, or NOTHING if no rule matches or obligations alone do. */
const NOTHING = -1;
const BLOCKS = strictness('BLOCK');
const getFinal = (most: number, permitted: boolean): number => (permitted || most === BLOCKS ? most : NOTHING);

/** The combined result of changed and unchanged rules. */
type Together = { readonly most: number; readonly permits: boolean; readonly doubtful: readonly Doubtful[] };

const join = (own: Contribution, common: Contribution): Together => ({
  most: Math.max(own.least, common.least),
  permits: own.permits || common.permits,
  doubtful: [...own.doubtful, ...common.doubtful],
});

/** Returns the doubtful rules of which any would change the decision. If there is none, no number of them together could. */
const opened = ({ most, permits, doubtful }: Together): readonly Doubtful[] => {
  const sure = getFinal(most, permits);
  return doubtful.filter((one) => getFinal(Math.max(most, one.strictness), permits || one.permits) !== sure);
};

const greatest = ({ least, doubtful }: Contribution): number => doubtful.reduce((most, one) => Math.max(most, one.strictness), least);

const isExact = ({ least, permits, doubtful }: Contribution): boolean =>
  doubtful.every((one) => one.strictness <= least && (permits || !one.permits));

const getOutcome = (own: Contribution, common: Contribution): ReplayOutcome => {
  const { most, permits } = join(own, common);
  const decides = own.least > common.least ? own.sure : common.sure;
  if (decides === null || getFinal(most, permits) === NOTHING) return NO_RULE;
  return { effect: decides.effect, policy_id: decides.policy_id, rule: decides.id };
};

type Course = 'blocked' | 'held' | 'allowed';
const courseOf = (effect: Effect): Course => (effect === 'BLOCK' ? 'blocked' : effect === 'REQUIRE_APPROVAL' ? 'held' : 'allowed');

const compare = (from: ReplayOutcome, to: ReplayOutcome, sameTerms: boolean): JudgedChange => {
  const course = courseOf(to.effect);
  if (course !== courseOf(from.effect)) return { kind: `newly_${course}`, from, to };
  return from.effect === to.effect && (sameTerms || course === 'blocked') ? UNCHANGED : { kind: 'other_terms', from, to };
};

const judgeBoth = (sets: ChangeSets, recalled: Recalled): JudgedChange => {
  const removed = contribution(sets.removed, recalled);
  const added = contribution(sets.added, recalled);
  const sameSaid = removed.least === added.least && removed.permits === added.permits;
  if (isExact(removed) && isExact(added) && sameSaid && asksForSame(removed, added, null)) return UNCHANGED;
  const common = contribution(sets.unchanged, recalled);
  if (common.least === BLOCKS) return UNCHANGED;
  const sameTerms = asksForSame(removed, added, common);
  // The common rules permit, and are at least as strict as anything that changed could be.
  if (common.permits && sameTerms && common.least >= Math.max(greatest(removed), greatest(added))) return UNCHANGED;
  const open = [...opened(join(removed, common)), ...opened(join(added, common))];
  if (open.length === 0) return compare(getOutcome(removed, common), getOutcome(added, common), sameTerms);
  return { kind: 'unknown', fields: [...new Set(open.flatMap(({ fields }) => fields))] };
};

/**
 * Compares the decisions of two versions on one request, together with everything else that applies to it. Returns `unknown` only if a
 * value
 * that was not recorded would decide between a change and none, or between two changes, or if judging exceeds the work budget of a
 * decision.
 */
export const judgeChange = (sets: ChangeSets, recalled: Recalled): JudgedChange => {
  try {
    return judgeBoth(sets, recalled);
  } catch (error) {
    if (error instanceof OutOfWork) return { kind: 'unknown', fields: [] };
    throw error;
  }
};
