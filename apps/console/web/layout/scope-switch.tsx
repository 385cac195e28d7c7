import { type ReactNode, useEffect, useId } from 'react';
import { useLocation } from 'wouter';
import { useEnvironments } from '../data/environments.ts';
import { EVERYTHING, isScopedPath, keepScope, SCOPE, useScope } from '../data/scope.ts';
import { useOperation } from '../data/use-operation.ts';
import { useQueryState } from '../data/use-query-state.ts';

const NAMES = [SCOPE] as const;

/** Returns a function that chooses a scope: in the address of a page that is narrowed to it, and for the pages that follow. */
export const useChooseScope = (): ((scope: string) => void) => {
  const [path] = useLocation();
  const { set } = useQueryState(NAMES);
  return (scope) => {
    keepScope(scope);
    if (isScopedPath(path)) set({ [SCOPE]: scope });
    else location.reload();
  };
};

/** Chooses the workspace or environment that lists are narrowed to. Their addresses state it, so that a link shows the same to others. */
export const ScopeSwitch = (): ReactNode => {
  const id = useId();
  const [path] = useLocation();
  const { scope, isInAddress } = useScope();
  const choose = useChooseScope();
  const { set } = useQueryState(NAMES);
  const environments = useEnvironments() ?? [];
  const workspaces = useOperation('listWorkspaces', {}).data ?? [];
  const isMissing = isScopedPath(path) && scope !== EVERYTHING && !isInAddress;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a page without a scope gets the last choice
  useEffect(() => {
    if (isMissing) set({ [SCOPE]: scope });
  }, [isMissing, path]);
  if (environments.length === 0) return null;
  const isKnown = scope === EVERYTHING || [...environments, ...workspaces].some((each) => each.id === scope);
  return (
    <div className="scope-switch">
      <label htmlFor={id}>Scope</label>
      <select id={id} value={scope} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value={EVERYTHING}>All environments</option>
        {isKnown ? null : <option value={scope}>Unknown scope</option>}
        <optgroup label="Workspaces">
          {workspaces.map(({ id: value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </optgroup>
        <optgroup label="Environments">
          {environments.map(({ id: value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </optgroup>
      </select>
    </div>
  );
};
