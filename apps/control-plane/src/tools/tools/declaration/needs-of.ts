import { SENDING } from './credential-refusal.ts';
import type { DeclarationChange } from './read-change.ts';

/** Whether an allowlist names what it did not name before; taking entries away sends nothing anywhere else. */
const isWidened = ({ tool, after }: DeclarationChange): boolean =>
  after.destination_allowlist.some((entry) => !tool.destination_allowlist.includes(entry));

/** Whether calls that carry a secret are worded otherwise, or may go where they could not: a host may be a parameter, and the schema says of which. */
const sendsOtherwise = (change: DeclarationChange): boolean => {
  const changed = new Set(change.changes.map(({ member }) => member));
  if (change.after.execution?.credential_id === undefined) return false;
  return changed.has('execution') || changed.has('parameters_schema') || isWidened(change);
};

/**
 * What a change takes besides tool:update. A tool that does damage could otherwise be made harmless by name first, and whatever is asked of
 * people who touch such tools be gone round; another capability hands the tool to whoever holds that one; and what a
 * call says is said in the name of its credential.
 */
export const needsOf = (change: DeclarationChange) => {
  const { tool, changes } = change;
  const changed = (member: string): boolean => changes.some((each) => each.member === member);
  return {
    step_up: changes.length > 0 && (tool.dangerous || tool.risk_rating === 'CRITICAL'),
    permissions: [
      ...(changed('required_capability') ? (['agent:manage_capabilities'] as const) : []),
      ...(sendsOtherwise(change) ? ([SENDING] as const) : []),
    ],
  };
};
