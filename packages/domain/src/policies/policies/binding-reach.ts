import type { PolicyScope } from '@svc/contract/tables/vocabulary.ts';

/** The workspaces that a caller is limited to; null or absent if unlimited. */
export type WorkspaceLimit = {
  readonly workspace_ids?: readonly string[] | null | undefined;
  readonly environment_id?: string | null | undefined;
};

/**
 * Returns true if a binding of this scope exceeds a caller's limit by its kind alone.
 * The store checks if the workspace, environment or agent is inside the limit.
 */
export const reachesBeyond = (limit: WorkspaceLimit, scope: PolicyScope): boolean => {
  const inEnvironment = (limit.environment_id ?? null) !== null;
  if (scope === 'ORGANIZATION') return inEnvironment || (limit.workspace_ids ?? null) !== null;
  return scope === 'WORKSPACE' && inEnvironment;
};
