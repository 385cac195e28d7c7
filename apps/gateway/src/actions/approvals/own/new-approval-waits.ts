import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Watched } from '@svc/postgres/actions/approvals/read-watched.ts';
import { newPlaces, type Waiter, type WaitingFor } from './waiting-places.ts';

export type ApprovalWaits = {
  /**
   * Resolves with true as soon as the approval changes, and with false at the timeout. Without a slot it resolves with true after a moment
   * without a query, so that a client in a loop does not poll without delay.
   */
  readonly wait: (what: WaitingFor, ms: number) => Promise<boolean>;
  /** Answers all waiters, and accepts no more. */
  readonly end: () => void;
  readonly count: () => number;
};

/** Reads the states of approvals by id; a failure is retried at the next poll. */
type Read = (ids: readonly string[], organizationIds: readonly string[]) => Promise<readonly Watched[]>;

const { waitLookEveryMs, waitWithoutPlaceMs } = LIMITS.approvals;

/** Identifies a state: waiting continues while it is the same as at the first poll. */
const getState = ({ status, wording, open_question, is_over }: Watched): string =>
  JSON.stringify([status, wording, open_question, is_over]);
const PENDING = JSON.stringify(['PENDING']).slice(0, -1);

/** True if the approval changed; an approval that is not pending, or has a question, is returned at once. */
const isWakened = (waiter: Waiter, watched: Watched | undefined): boolean => {
  if (watched === undefined) return true;
  const state = getState(watched);
  if (waiter.seen === undefined) {
    waiter.seen = state;
    return !state.startsWith(PENDING) || watched.open_question !== null || watched.is_over;
  }
  return waiter.seen !== state;
};

/** Answers waiters without a slot as soon as their moment is over. */
const letGo = ({ waiters, leave }: ReturnType<typeof newPlaces>, now: number): void => {
  for (const waiter of waiters) if (waiter.isGone() || waiter.until <= now) leave(waiter, !waiter.isGone());
};

/**
 * Polls once for all waiters with a slot. An approval that cannot be read is read at the next poll; a waiter at its timeout gets the last
 * known state.
 */
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

/** Waits for approvals in a process (long polling): one query at a time serves all waiters, so that none holds a connection. */
export const newApprovalWaits = (read: Read, now: () => number = () => performance.now()): ApprovalWaits => {
  const seats = newPlaces();
  /** Waiters without a slot: held for a moment, and not polled for. */
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
    // If a query hangs, waiters are answered in time all the same.
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
