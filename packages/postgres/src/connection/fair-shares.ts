/** Nobody was let in: the share of the organization, or all of it, was taken for longer than one waits. */
export class NoShareError extends Error {
  /** Whether what the organization itself does stood in the way, and not what others do. */
  readonly own: boolean;
  constructor(own: boolean) {
    super(`no connection came free in time: timeout of admission, ${own ? "the organization's own share is in use" : 'all are in use'}`);
    this.own = own;
  }
}

export type FairShares = {
  /** Runs work when there is room for it, or throws a NoShareError. */
  readonly run: <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;
  /** How many wait to be let in. */
  readonly waiting: () => number;
};

export type ShareSettings = {
  readonly atOnceMax: number;
  /** Of these, what one key has at the same time. */
  readonly perKeyMax: number;
  /** What may wait of one key. */
  readonly waitingPerKeyMax: number;
  readonly waitMsMax: number;
};

type Waiting = { readonly go: () => void };

/** Resolves when it is let in, and rejects when that takes too long or too many of the key wait already. */
const waitInLine = (
  waiting: Map<string, Waiting[]>,
  key: string,
  { waitingPerKeyMax, waitMsMax }: ShareSettings,
  isOwnFault: () => boolean,
): Promise<void> =>
  new Promise((go, reject) => {
    const line = waiting.get(key) ?? [];
    if (line.length >= waitingPerKeyMax) return reject(new NoShareError(isOwnFault()));
    const refuse = (): void => {
      line.splice(line.indexOf(one), 1);
      if (line.length === 0 && waiting.get(key) === line) waiting.delete(key);
      reject(new NoShareError(isOwnFault()));
    };
    const timer = setTimeout(refuse, waitMsMax);
    const one: Waiting = {
      go: () => {
        clearTimeout(timer);
        go();
      },
    };
    line.push(one);
    waiting.set(key, line);
  });

const countIn = (lines: ReadonlyMap<string, readonly Waiting[]>): number => [...lines.values()].flat().length;

/**
 * A semaphore that is shared fairly: no key holds more than its share, and of the keys that wait the one that was let in longest ago is next.
 * Without a wait it costs two look-ups.
 */
export const newFairShares = (settings: ShareSettings): FairShares => {
  const { atOnceMax, perKeyMax } = settings;
  const running = new Map<string, number>();
  /** In the order in which the keys are to be let in. */
  const waiting = new Map<string, Waiting[]>();
  let atOnce = 0;

  const hasRoom = (key: string): boolean => atOnce < atOnceMax && (running.get(key) ?? 0) < perKeyMax;

  const enter = (key: string): void => {
    atOnce += 1;
    running.set(key, (running.get(key) ?? 0) + 1);
  };

  const letIn = (): void => {
    for (const [key, line] of waiting) {
      if (atOnce >= atOnceMax) return;
      if (!hasRoom(key)) continue;
      // Put back, a key is visited again in this round, after all others.
      waiting.delete(key);
      const next = line.shift();
      if (line.length > 0) waiting.set(key, line);
      if (next === undefined) continue;
      enter(key);
      next.go();
    }
  };

  const leave = (key: string): void => {
    atOnce -= 1;
    const left = (running.get(key) ?? 1) - 1;
    if (left > 0) running.set(key, left);
    else running.delete(key);
    if (waiting.size > 0) letIn();
  };

  return {
    run: async (key, work) => {
      if (hasRoom(key) && !waiting.has(key)) enter(key);
      else await waitInLine(waiting, key, settings, () => (running.get(key) ?? 0) >= perKeyMax);
      try {
        return await work();
      } finally {
        leave(key);
      }
    },
    waiting: () => countIn(waiting),
  };
};
