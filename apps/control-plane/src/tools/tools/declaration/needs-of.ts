import { SENDING } from './credential-refusal.ts';
import type { DeclarationChange } from './read-change.ts';

/**
 * What a change takes besides tool:update. A tool that does damage could otherwise be made harmless by name first, and whatever is asked of
 * people who touch such tools be gone round; another capability hands the tool to whoever holds that one; and what a
 * call says is said in the name of its credential.
 */
export const needsOf = ({ tool, after, changes }: DeclarationChange) => {
  const changed = (member: string): boolean => changes.some((change) => change.member === member);
  return {
    step_up: changes.length > 0 && (tool.dangerous || tool.risk_rating === 'CRITICAL'),
    permissions: [
      ...(changed('required_capability') ? (['agent:manage_capabilities'] as const) : []),
      ...(changed('execution') && after.execution?.credential_id !== undefined ? ([SENDING] as const) : []),
    ],
  };
};
