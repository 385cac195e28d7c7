import type { DelegationBounds } from './delegation.ts';

/** The authority of the delegate without the delegation. */
export type Delegate = {
  readonly capabilities: readonly string[];
  readonly environment_id: string;
  /** True if agents act in its environment under a delegation only. */
  readonly requires_delegation: boolean;
  /** True if a person's delegation to it is in force, so that it does not act on its own grants. */
  readonly is_delegated: boolean;
};

export type DelegationWarning = {
  /** narrows_nothing: it need not name the delegation; grants_come_back: it acts under it for as long as it holds, and not longer. */
  readonly kind: 'narrows_nothing' | 'grants_come_back';
  /** Fields in which the grants of the agent are wider than the delegation. */
  readonly fields: readonly string[];
  readonly environment_id: string;
  readonly message: string;
};

const REMEDY = 'Require delegations in its environment (requires_delegation), or revoke the grants that it must not use on its own.';
const MESSAGES: Readonly<Record<DelegationWarning['kind'], string>> = {
  narrows_nothing: `This delegation restricts nothing: the agent has wider grants of its own, and uses them if a request names no delegation. ${REMEDY}`,
  grants_come_back: `The agent has wider grants of its own: it acts under this delegation while it is valid, and on its own grants after it ends. ${REMEDY}`,
};

/** The fields in which grants, which bound nothing but capabilities, are wider. */
const narrowedFields = ({ scope, ceiling, expires_at }: DelegationBounds, { capabilities, environment_id }: Delegate): string[] => {
  const narrows: readonly (readonly [string, boolean])[] = [
    ['scope.capabilities', scope.capabilities !== null && capabilities.some((name) => !scope.capabilities?.includes(name))],
    ['scope.tools', scope.tools !== null],
    ['scope.environments', scope.environments !== null && !scope.environments.includes(environment_id)],
    ['scope.destinations', scope.destinations !== null],
    ['ceiling', ceiling.max_amount !== null || ceiling.max_calls !== null],
    ['expires_at', expires_at !== null],
  ];
  return narrows.flatMap(([field, is]) => (is ? [field] : []));
};

/** Returns warnings about bounds that do not restrict as the delegator may expect. `isRoot`: a person delegates, not an agent. */
export const listDelegationWarnings = (bounds: DelegationBounds, delegate: Delegate, isRoot: boolean): readonly DelegationWarning[] => {
  const { requires_delegation, capabilities, is_delegated, environment_id } = delegate;
  if (requires_delegation || capabilities.length === 0 || (!isRoot && is_delegated)) return [];
  const fields = narrowedFields(bounds, delegate);
  if (fields.length === 0) return [];
  const kind = isRoot ? 'grants_come_back' : 'narrows_nothing';
  return [{ kind, fields, environment_id, message: MESSAGES[kind] }];
};
