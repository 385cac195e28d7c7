/** Replays that one process runs at the same time; the others wait. */
const AT_ONCE_MAX = 2;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs long work that costs much, a few at a time, so that whoever asks for many of them slows down nobody else. */
export const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  if (running >= AT_ONCE_MAX) await new Promise<void>((go) => waiting.push(go));
  else running += 1;
  try {
    return await work();
  } finally {
    // The place goes to whoever waits longest, so that the number of those who run stays right.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
};
