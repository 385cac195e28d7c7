import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';

const NEEDS_ALL = 'This call is limited to a part of the organization, and the change applies to all of it.';

/** Refuses a change for the whole organization by a key or session that is limited to a part of it. */
export const findPartialRefusal = (scope: {
  readonly workspace_ids?: readonly string[] | null | undefined;
}): Refusal<'PERMISSION_DENIED'> | undefined => (scope.workspace_ids ? buildRefusal('PERMISSION_DENIED', NEEDS_ALL) : undefined);
