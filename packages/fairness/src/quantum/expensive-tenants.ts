/** The time that work may take in one event-loop tick before others run; work that takes longer is expensive. */
export const QUANTUM_MS = 5;
/** The same while several holders have requests: a request takes one tick for each thing that it waits for. */
export const SHARED_QUANTUM_MS = 2;

/** How long a holder counts as expensive, and another as waiting for its next tick, after its last work. */
const DEAR_MS = 1_000;
const NEAR_MS = 250;
/** Caps the throttle, so that a pause of the machine in the middle of expensive work does not double. */
const REST_MS_MAX = 50;

/** The one holder of all unauthenticated clients: their number is unknown, so they share a slot. */
export const STRANGERS = '';
/** Unauthenticated clients are throttled for this multiple of the time they worked. */
const STRANGERS_REST_COUNT = 3;
/** Caps the throttle for work that they did while no one else was there. */
const STRANGERS_REST_MS_MAX = 150;

/**
 * Throttles holders of expensive work together: after each piece for as long as it took, while anyone else is active [duty cycle of one
 * half].
 * A request takes several ticks of the event loop: with an expensive piece in each, a neighbour would wait for as many pieces as it has
 * ticks.
 * Unauthenticated clients are throttled after any work [duty cycle of one quarter] while an authenticated one is active: none of their
 * requests
 * is expensive by itself, but all of them together could keep a plane busy.
 */
export type ExpensiveHolders = {
  /** Records how long a piece of work blocked the event loop. */
  readonly note: (holder: string, tookMs: number, now: number) => void;
  readonly mayGo: (holder: string, now: number) => boolean;
  /** Returns when the first throttled holder may continue. */
  readonly restsUntil: (now: number) => number;
};

export const newExpensiveHolders = (): ExpensiveHolders => {
  /** The time at which each holder stops counting as expensive, in ascending order. */
  const dear = new Map<string, number>();
  let restsUntil = 0;
  let othersUntil = 0;
  let strangersRestUntil = 0;
  let knownUntil = 0;
  const isDear = (holder: string, now: number): boolean => (dear.get(holder) ?? 0) > now;
  return {
    note: (holder, tookMs, now) => {
      if (holder !== STRANGERS) knownUntil = now + NEAR_MS;
      else strangersRestUntil = Math.min(Math.max(strangersRestUntil, now) + STRANGERS_REST_COUNT * tookMs, now + STRANGERS_REST_MS_MAX);
      if (tookMs > QUANTUM_MS && holder !== STRANGERS) {
        for (const [known, until] of dear) {
          if (until > now) break;
          dear.delete(known);
        }
        dear.delete(holder);
        dear.set(holder, now + DEAR_MS);
        restsUntil = now + Math.min(tookMs, REST_MS_MAX);
      } else if (!isDear(holder, now)) othersUntil = now + NEAR_MS;
    },
    mayGo: (holder, now) =>
      holder === STRANGERS
        ? now >= strangersRestUntil || now >= knownUntil
        : now >= restsUntil || now >= othersUntil || !isDear(holder, now),
    restsUntil: (now) => Math.min(...[restsUntil, strangersRestUntil].filter((at) => at > now), now + REST_MS_MAX),
  };
};
