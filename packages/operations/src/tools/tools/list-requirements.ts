import { isDamaging, loosensDeclaration } from '@svc/domain/tools/declaration/loosens-declaration.ts';
import { SENDING } from './credential-refusal.ts';
import type { DeclarationChange } from './read-change.ts';

/** True if an allowlist names something new; removing entries sends nothing elsewhere. */
const isWidened = ({ tool, after }: DeclarationChange): boolean =>
  after.destination_allowlist.some((entry) => !tool.destination_allowlist.includes(entry));

/** True if calls with a secret change in content or may reach new destinations: a host may be a parameter, and the schema bounds it. */
const sendsOtherwise = (change: DeclarationChange): boolean => {
  const changed = new Set(change.changes.map(({ member }) => member));
  if (change.after.execution?.credential_id === undefined) return false;
  return changed.has('execution') || changed.has('parameters_schema') || isWidened(change);
};

/**
 * Returns what a change requires in addition to tool:update. A step-up for every change of a damaging tool, which could otherwise be
 * declared harmless first, and for a change that loosens what rules depend on. Permissions for another capability, which gives the tool to
 * other agents, and for a call with a credential.
 */
export const listRequirements = (change: DeclarationChange) => {
  const { tool, changes } = change;
  const changed = (member: string): boolean => changes.some((each) => each.member === member);
  return {
    step_up: changes.length > 0 && (isDamaging(tool) || loosensDeclaration(tool, change.after)),
    permissions: [
      ...(changed('required_capability') ? (['agent:manage_capabilities'] as const) : []),
      ...(sendsOtherwise(change) ? ([SENDING] as const) : []),
    ],
  };
};
