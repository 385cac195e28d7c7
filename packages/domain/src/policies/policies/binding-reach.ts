import type { PolicyScope } from '@svc/contract/tables/vocabulary.ts';

/** The part of the organization a call is limited to; null or absent where it is not. */
export type Limit = { readonly workspace_ids?: readonly string[] | null | undefined; readonly environment_id?: string | null | undefined };

/**
 * Whether a binding of this scope reaches beyond a call's limit by its kind alone.
 * Whether the very workspace, environment or agent lies inside the limit is for the store to say.
 */
export const reachesBeyond = (limit: Limit, scope: PolicyScope): boolean => {
  const inEnvironment = (limit.environment_id ?? null) !== null;
  if (scope === 'ORGANIZATION') return inEnvironment || (limit.workspace_ids ?? null) !== null;
  return scope === 'WORKSPACE' && inEnvironment;
};
