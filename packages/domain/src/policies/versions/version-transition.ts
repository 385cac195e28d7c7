import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { VersionStatus } from '@svc/contract/tables/vocabulary.ts';

/** A version is activated once. A rollback creates a new version from an earlier one. */
const ACCEPTED_FROM = {
  activate: ['DRAFT'],
  rollback: ['SUPERSEDED'],
} as const satisfies Record<string, readonly VersionStatus[]>;

const SENTENCES: Readonly<Record<keyof typeof ACCEPTED_FROM, string>> = {
  activate: 'Only a draft can be activated. To restore an earlier version, use rollback.',
  rollback: 'Only a version that was active before can be restored by rollback. To activate a draft, use activate.',
};

/** INVALID_STATE_TRANSITION with the statuses that the operation accepts, or undefined when it may go on. */
export const refuseVersionTransition = (
  operation: keyof typeof ACCEPTED_FROM,
  from: VersionStatus,
): Refusal<'INVALID_STATE_TRANSITION'> | undefined => {
  const allowed: readonly VersionStatus[] = ACCEPTED_FROM[operation];
  if (allowed.includes(from)) return undefined;
  return buildRefusal('INVALID_STATE_TRANSITION', SENTENCES[operation], { operation, from, allowed_from: allowed });
};
