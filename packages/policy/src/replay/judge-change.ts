import type { ReplayChange, ReplayOutcome } from '@svc/contract/policy-replay.ts';
import type { Effect } from '@svc/contract/vocabulary.ts';
import type { PolicySet } from '../compile-set.ts';
import { OutOfWork } from '../tree/node.ts';
import { type Contribution, contribution, type Recalled } from './contribution.ts';

/** What two versions make of one recalled request. */
export type JudgedChange =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unknown'; readonly fields: readonly string[] }
  | { readonly kind: ReplayChange; readonly from: ReplayOutcome; readonly to: ReplayOutcome };

export type ChangeSets = { readonly removed: PolicySet; readonly added: PolicySet; readonly unchanged: PolicySet };

const UNCHANGED: JudgedChange = { kind: 'unchanged' };
const NO_RULE: ReplayOutcome = { effect: 'BLOCK', policy_id: null, rule: null };

const isExact = ({ least, greatest }: Contribution): boolean => least === greatest;

const outcomeOf = (own: Contribution, common: Contribution): ReplayOutcome => {
  const decides = own.least > common.least ? own.sure : common.sure;
  return decides === null ? NO_RULE : { effect: decides.effect, policy_id: decides.policy_id, rule: decides.id };
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
  const sameTerms = removed.terms === added.terms;
  if (isExact(removed) && isExact(added) && removed.least === added.least && sameTerms) return UNCHANGED;
  const common = contribution(sets.unchanged, recalled);
  const most = Math.max(removed.greatest, added.greatest);
  // What judges both alike is at least as strict as anything that changed could be.
  if (common.least >= most && (sameTerms || (common.sure !== null && common.sure.effect === 'BLOCK'))) return UNCHANGED;
  const isSettled = (own: Contribution): boolean => Math.max(own.least, common.least) === Math.max(own.greatest, common.greatest);
  if (isSettled(removed) && isSettled(added)) return compare(outcomeOf(removed, common), outcomeOf(added, common), sameTerms);
  return { kind: 'unknown', fields: [...new Set([...removed.open, ...added.open, ...common.open])] };
};

/**
 * Compares the decisions of two versions on one request, together with everything else that applies to it. Says `unknown` only where a value
 * that was not kept would decide between a change and none, or between two changes, or where judging it takes more work than a decision may.
 */
export const judgeChange = (sets: ChangeSets, recalled: Recalled): JudgedChange => {
  try {
    return judgeBoth(sets, recalled);
  } catch (error) {
    if (error instanceof OutOfWork) return { kind: 'unknown', fields: [] };
    throw error;
  }
};
