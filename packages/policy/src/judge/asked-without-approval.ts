import type { PolicyObligations } from '@svc/contract/actions/obligations.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { asksByApproval, type CompiledRule } from './compile-version.ts';
import { consult, newTally, type Tally } from './consult.ts';

type Approvals = PolicyObligations['approvals'];

const NONE: Approvals = Object.freeze([]) as unknown as Approvals;

/** Rules are found by values that no approval changes, so that those consulted are those that could be asked without one. */
const asking = (rules: readonly CompiledRule[]): readonly CompiledRule[] => rules.filter(asksByApproval);

/**
 * What the rules would ask of people if the approval that is there was not: rules that ask only where none is present ask nothing of whoever
 * brings one, and so would not tell what it has to be good for. Costs only where one is present and such a rule is consulted, out of the work
 * of the same decision; it leaves nothing in what that tells.
 */
export const askedWithoutApproval = ({ rules, run }: Tally, context: PolicyContext): Approvals => {
  if (context.approval?.present !== true) return NONE;
  const found = asking(rules);
  if (found.length === 0) return NONE;
  const tally = newTally(run);
  const without = { ...context, approval: { present: false } };
  for (const rule of found) consult(rule, without, tally);
  return (tally.demands ?? []).flatMap(({ approval }) => approval ?? []);
};
