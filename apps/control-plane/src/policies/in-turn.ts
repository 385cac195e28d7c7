import { type Refusal, refusal } from '@svc/contract/refusal.ts';

type Waiting = { readonly organizationId: string; readonly go: () => void };

/** Runs work when its turn has come, or refuses it where too much of the organization waits already. */
export type Turns = <Result>(organizationId: string, work: () => Promise<Result>) => Promise<Result | Refusal<'RATE_LIMITED'>>;

/** What waits is held in memory, so no organization has more than this wait. */
const WAITING_MAX = 10;
const CROWDED = 'Too much of this kind is being worked out for this organization already; ask again later.';

/**
 * Runs long work that costs much, a few at a time in this process and one at a time for each organization, so that whoever asks for many of
 * them slows down nobody else: of those whose organization has none running, the one that waits longest is next.
 */
export const newTurns = (atOnceMax: number): Turns => {
  const running = new Set<string>();
  const waiting: Waiting[] = [];
  const goOn = (): void => {
    while (running.size < atOnceMax) {
      const place = waiting.findIndex(({ organizationId }) => !running.has(organizationId));
      const [next] = place < 0 ? [] : waiting.splice(place, 1);
      if (next === undefined) return;
      running.add(next.organizationId);
      next.go();
    }
  };
  return async (organizationId, work) => {
    const ahead = waiting.filter((one) => one.organizationId === organizationId).length;
    if (ahead >= WAITING_MAX) return refusal('RATE_LIMITED', CROWDED, { retry_after_seconds: 10 });
    await new Promise<void>((go) => {
      waiting.push({ organizationId, go });
      goOn();
    });
    try {
      return await work();
    } finally {
      running.delete(organizationId);
      goOn();
    }
  };
};
