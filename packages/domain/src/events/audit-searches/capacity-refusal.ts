import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

const { savedPerOwnerMax, savedSharedMax } = LIMITS.search;

/** The limits of a caller with access to a part of the organization. */
type Part = { readonly workspace_ids?: readonly string[] | null | undefined; readonly environment_id?: string | null | undefined };

const PART =
  'Shared searches are visible to the whole organization, and your access is limited to a part of it. Save the search for yourself.';

/** A caller limited to a part of the organization cannot share searches, whose readers see all of it. */
export const refuseSharing = (
  shared: boolean | undefined,
  { workspace_ids, environment_id }: Part,
): Refusal<'PERMISSION_DENIED'> | undefined =>
  shared === true && (workspace_ids || environment_id) ? buildRefusal('PERMISSION_DENIED', PART) : undefined;

/** Refuses one more at the maximum. */
export const findRoomRefusal = (
  { own, shared }: { readonly own: number; readonly shared: number },
  asked: { readonly owns: boolean; readonly shares: boolean },
): Refusal<'VALIDATION_FAILED'> | undefined => {
  if (asked.owns && own >= savedPerOwnerMax)
    return buildRefusal('VALIDATION_FAILED', `A user can save at most ${savedPerOwnerMax} searches. Delete one first.`);
  if (asked.shares && shared >= savedSharedMax)
    return buildRefusal(
      'VALIDATION_FAILED',
      `An organization can share at most ${savedSharedMax} searches. Save this one for yourself, or have another one deleted.`,
    );
  return undefined;
};

export const NAME_TAKEN = 'You already have a search with this name. Change that one, or choose another name.';
