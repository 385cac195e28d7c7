/** What may run in one turn of the event loop before others are heard; work that takes longer is dear. */
export const QUANTUM_MS = 5;
/** The same while several ask for something: a request takes a turn of the event loop for each thing that it waits for. */
export const SHARED_QUANTUM_MS = 2;

/** So long somebody is held to ask for dear things, and somebody else to be waiting for the next turn, after they did. */
const DEAR_MS = 1_000;
const NEAR_MS = 250;
/** A halt of the machine in the middle of something dear is not slept through a second time. */
const REST_MS_MAX = 50;

/** Whoever shows no credential: nobody knows how many they are, so all of them are one holder. */
export const STRANGERS = '';
/** They rest for so many times as long as they worked. */
const STRANGERS_REST_COUNT = 3;
/** What they did while nobody else was there is not held against them for longer. */
const STRANGERS_REST_MS_MAX = 150;

/**
 * Holders whose work is dear rest together after each piece of it for as long as it took, while anybody else is there [a duty cycle of one half].
 * A request takes several turns of the event loop: with a dear piece in each of them a neighbour would wait for as many pieces as it takes turns.
 * Strangers rest after whatever they do [a duty cycle of one quarter] while anybody is there who showed a credential: no request of theirs is
 * dear, and all of them together could keep a plane at work.
 */
export type DearHolders = {
  /** Told of each piece of work how long it held everybody up. */
  readonly note: (holder: string, tookMs: number, now: number) => void;
  readonly mayGo: (holder: string, now: number) => boolean;
  /** When the first of those that rest may go on. */
  readonly restsUntil: (now: number) => number;
};

export const newDearHolders = (): DearHolders => {
  /** By when their last dear work was so long ago that they are as all others; in that order. */
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
