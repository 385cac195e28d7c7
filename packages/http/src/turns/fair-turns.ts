/** Work that runs at once, or when it is its holder's turn [round-robin scheduling]. */
export type FairTurns = { readonly run: <Value>(holder: string, work: () => Promise<Value>) => Promise<Value> };

/** What may run in one turn of the event loop before others are heard. */
const QUANTUM_MS = 5;

type Job = () => void;

/** The longest waiting of the holder whose turn it is; who has more waits behind all others for the next. */
const takeNext = (lines: Map<string, Job[]>): Job | undefined => {
  for (const [holder, jobs] of lines) {
    const next = jobs.shift();
    lines.delete(holder);
    if (jobs.length > 0) lines.set(holder, jobs);
    return next;
  }
  return undefined;
};

/**
 * Round-robin of the processor between holders, by requests. What a request does until it waits for something else is measured; where one
 * turn of the event loop has used up its quantum, the others wait for the next, and each holder has one before any has its second. So
 * whoever asks for something small waits for one dear request at most of whoever asks for many. While there is no more to do than fits in
 * a turn, everything runs at once.
 */
export const newFairTurns = (): FairTurns => {
  const lines = new Map<string, Job[]>();
  let spentMs = 0;
  let isDue = false;

  const turn = (): void => {
    isDue = false;
    spentMs = 0;
    while (lines.size > 0 && spentMs < QUANTUM_MS) takeNext(lines)?.();
    if (lines.size > 0) nextTurn();
  };
  const nextTurn = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(turn);
  };
  const measured = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const began = performance.now();
    const working = work();
    spentMs += performance.now() - began;
    nextTurn();
    return working;
  };

  return {
    run: (holder, work) => {
      if (lines.size === 0 && spentMs < QUANTUM_MS) return measured(work);
      return new Promise((resolve, reject) => {
        const job = (): void => void measured(work).then(resolve, reject);
        const jobs = lines.get(holder);
        if (jobs === undefined) lines.set(holder, [job]);
        else jobs.push(job);
      });
    },
  };
};
