import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ApprovalWaits } from './new-approval-waits.ts';
import { newPlaces } from './waiting-places.ts';

type Waited = { readonly organizationId: string; readonly agentId: string; readonly approvalId: string };

/**
 * Waits for a decision on an approval, until it may be there or the timeout. Identical calls of an agent share one slot. Resolves with
 * false at once if no further call may be held.
 */
export type SharedWaits = (waited: Waited, ms: number, signal: AbortSignal) => Promise<boolean>;

type Entry = { readonly over: Promise<unknown>; count: number };

const { holdSecondsMax, heldMax, heldPerOrganizationMax, heldPerAgentMax } = LIMITS.mcpServers;
const HELD = { waitersMax: heldMax, waitersPerOrganizationMax: heldPerOrganizationMax, waitersPerAgentMax: heldPerAgentMax };
const { waitWithoutPlaceMs } = LIMITS.approvals;

/** Without a slot, the next poll comes after a pause. */
const waitAtLeast = async (waiting: Promise<boolean>): Promise<void> => {
  const isSettled = await waiting;
  if (!isSettled) await sleep(waitWithoutPlaceMs * (1 + Math.random() / 2));
};

export const newSharedWaits = ({ wait }: ApprovalWaits): SharedWaits => {
  const entries = new Map<string, Entry>();
  const held = newPlaces(HELD);
  const join = ({ organizationId, agentId, approvalId }: Waited): Entry => {
    const key = `${agentId} ${approvalId}`;
    const known = entries.get(key);
    if (known !== undefined) return known;
    const isGone = (): boolean => entry.count === 0;
    const over = waitAtLeast(wait({ organizationId, agentId, approvalId, isGone }, holdSecondsMax * 1_000)).finally(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    const entry: Entry = { over, count: 0 };
    entries.set(key, entry);
    return entry;
  };
  return async (waited, ms, signal) => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const place = { ...waited, isGone: () => signal.aborted, until: performance.now() + ms, settle: () => end(), seen: undefined };
    if (!held.hasRoom(place)) return false;
    held.enter(place);
    const entry = join(waited);
    entry.count += 1;
    const timer = setTimeout(end, ms);
    const leave = (): void => end();
    signal.addEventListener('abort', leave, { once: true });
    try {
      await Promise.race([entry.over, ended]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      entry.count -= 1;
      held.leave(place, true);
    }
    return true;
  };
};
