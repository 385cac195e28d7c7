import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Watched } from '@svc/postgres/actions/approvals/read-watched.ts';
import { newPlaces, type Waiter, type WaitingFor } from './waiting-places.ts';

export type ApprovalWaits = {
  /**
   * Resolves with true as soon as something has become of the approval, and with false when the time is over. Where there is no room to wait
   * it resolves with true after a moment in which nobody looked, so that whoever asks in a loop does not ask without end.
   */
  readonly wait: (what: WaitingFor, ms: number) => Promise<boolean>;
  /** Answers all who wait, and lets nobody wait any more. */
  readonly end: () => void;
  readonly count: () => number;
};

/** How approvals stand, by their ids; what breaks is tried again at the next look. */
type Read = (ids: readonly string[], organizationIds: readonly string[]) => Promise<readonly Watched[]>;

const { waitLookEveryMs, waitWithoutPlaceMs } = LIMITS.approvals;

/** Only what waits as it did when it was looked at first is waited for on. */
const stateOf = ({ status, wording, open_question, is_over }: Watched): string => JSON.stringify([status, wording, open_question, is_over]);
const PENDING = JSON.stringify(['PENDING']).slice(0, -1);

/** The first look says how it stands: what is not pending, or is asked about, is told at once. */
const isWakened = (waiter: Waiter, watched: Watched | undefined): boolean => {
  if (watched === undefined) return true;
  const state = stateOf(watched);
  if (waiter.seen === undefined) {
    waiter.seen = state;
    return !state.startsWith(PENDING) || watched.open_question !== null || watched.is_over;
  }
  return waiter.seen !== state;
};

/** Who found no place is told how it stands as soon as its moment is over. */
const letGo = ({ waiters, leave }: ReturnType<typeof newPlaces>, now: number): void => {
  for (const waiter of waiters) if (waiter.isGone() || waiter.until <= now) leave(waiter, !waiter.isGone());
};

/** One look for all who have a place. What cannot be read now is read at the next one; whose time is over is answered as it stood. */
const look = async (read: Read, { waiters, leave }: ReturnType<typeof newPlaces>, now: () => number): Promise<void> => {
  const began = [...waiters];
  const those = [...new Map(began.map((waiter) => [waiter.approvalId, waiter.organizationId]))];
  const [ids, organizationIds] = [those.map(([id]) => id), those.map(([, organizationId]) => organizationId)];
  const found = await read(ids, organizationIds).catch(() => undefined);
  const byId = new Map(found?.map((watched) => [watched.id, watched]));
  for (const waiter of began) {
    if (found !== undefined && isWakened(waiter, byId.get(waiter.approvalId))) leave(waiter, true);
    else if (waiter.until <= now()) leave(waiter, false);
  }
};

/** All who wait for approvals in a process [long polling]: one look at a time serves them all, so that nobody holds a connection. */
export const newApprovalWaits = (read: Read, now: () => number = () => performance.now()): ApprovalWaits => {
  const seats = newPlaces();
  /** Those for whom there was no place: held for a moment, and looked for by nobody. */
  const standing = newPlaces();
  const { waiters, leave } = seats;
  let timer: NodeJS.Timeout | undefined;
  let [isLooking, isEnded] = [false, false];

  const round = (): void => {
    if (waiters.size + standing.waiters.size === 0) {
      clearInterval(timer);
      timer = undefined;
    } else if (!isLooking && waiters.size > 0) {
      isLooking = true;
      void look(read, seats, now).finally(() => {
        isLooking = false;
      });
    }
    // Where a look hangs, who waits is answered in time all the same.
    for (const waiter of waiters) if (waiter.isGone() || waiter.until + waitLookEveryMs <= now()) leave(waiter, false);
    letGo(standing, now());
  };
  return {
    wait: (what, ms) => {
      const places = [seats, standing].find(({ hasRoom }) => hasRoom(what));
      if (isEnded || places === undefined) return Promise.resolve(false);
      const heldMs = places === seats ? ms : Math.min(ms, waitWithoutPlaceMs);
      return new Promise((settle) => {
        places.enter({ ...what, until: now() + heldMs, settle, seen: undefined });
        timer ??= setInterval(round, waitLookEveryMs).unref();
      });
    },
    end: () => {
      isEnded = true;
      for (const places of [seats, standing]) for (const waiter of places.waiters) places.leave(waiter, true);
      clearInterval(timer);
    },
    count: () => waiters.size,
  };
};
