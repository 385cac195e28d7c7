import type { PolicyObligations } from '@svc/contract/actions/obligations.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { asksByApproval, type CompiledRule } from './compile-version.ts';
import { type ConsultTally, consult, newTally } from './consult.ts';

type Approvals = PolicyObligations['approvals'];

const NONE: Approvals = Object.freeze([]) as unknown as Approvals;

/** Rules are found by values that no approval changes, so that the consulted rules include those that could require one. */
const asking = (rules: readonly CompiledRule[]): readonly CompiledRule[] => rules.filter(asksByApproval);

/**
 * Returns what the rules would require of people if the present approval were absent: rules that require one only if none is present
 * require
 * nothing of a request with one, and so would not show what it must cover. Costs only if one is present and such a rule is consulted, out
 * of
 * the work budget of the same decision; it leaves no trace in the explanation.
 */
export const judgeWithoutApproval = ({ rules, run }: ConsultTally, context: PolicyContext): Approvals => {
  if (context.approval?.present !== true) return NONE;
  const found = asking(rules);
  if (found.length === 0) return NONE;
  const tally = newTally(run);
  const without = { ...context, approval: { present: false } };
  for (const rule of found) consult(rule, without, tally);
  return (tally.demands ?? []).flatMap(({ approval }) => approval ?? []);
};
