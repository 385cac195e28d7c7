export type FairLaneBounds = { readonly parallelMax: number; readonly waitingMax: number };

/** Runs work in the turn of its key; null, without starting it, when there is no room for it. */
export type FairLane = <Result>(key: string, work: () => Promise<Result>) => Promise<Result | null>;

/** Told whether it is its turn now, or that it has lost its place in the line. */
type Waiting = (isTurn: boolean) => void;

const longestOf = (lines: ReadonlyMap<string, Waiting[]>): Waiting[] =>
  [...lines.values()].reduce((longest, line) => (line.length > longest.length ? line : longest), []);

/**
 * A lane of bounded work in which keys take turns, so that nobody waits for more than one piece of each of the others. When the queue is
 * full, whoever came last to the longest line makes room for a key that has less waiting.
 */
export const newFairLane = ({ parallelMax, waitingMax }: FairLaneBounds): FairLane => {
  /** In the order of their turns. */
  const lines = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;

  const makeRoom = (key: string): boolean => {
    const longest = longestOf(lines);
    if (longest.length <= (lines.get(key)?.length ?? 0) + 1) return false;
    longest.pop()?.(false);
    waiting -= 1;
    return true;
  };
  const takeTurn = (key: string): Promise<boolean> | boolean => {
    if (running < parallelMax) {
      running += 1;
      return true;
    }
    if (waiting >= waitingMax && !makeRoom(key)) return false;
    waiting += 1;
    return new Promise((settle) => {
      const line = lines.get(key);
      if (line === undefined) lines.set(key, [settle]);
      else line.push(settle);
    });
  };
  const passTurn = (): void => {
    const [first] = lines;
    if (first === undefined) {
      running -= 1;
      return;
    }
    const [key, line] = first;
    lines.delete(key);
    const next = line.shift();
    if (line.length > 0) lines.set(key, line);
    waiting -= 1;
    next?.(true);
  };

  return async (key, work) => {
    if (!(await takeTurn(key))) return null;
    try {
      return await work();
    } finally {
      passTurn();
    }
  };
};
