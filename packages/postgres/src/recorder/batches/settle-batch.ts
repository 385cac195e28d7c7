import pg from 'pg';
import { isUnavailable } from '../../connection/is-unavailable.ts';
import { UnsendableValue } from '../composite.ts';

export type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  /** When it began to wait, by the clock of its batcher. */
  readonly since: number;
};

type Run<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

type Settling<Item, Result> = {
  readonly answer: (batch: readonly Waiting<Item, Result>[], results: readonly Result[]) => void;
  /** Returns true if one has waited too long, and was refused for it. */
  readonly giveUpLate: (one: Waiting<Item, Result>) => boolean;
};

/** A server that shuts down, starts up or cancels for time returns the same error for every row, each after a wait of its own. */
const isAboutOneRow = (error: unknown): boolean =>
  error instanceof UnsendableValue || (error instanceof pg.DatabaseError && !isUnavailable(error));

/**
 * Runs a batch and answers each waiting caller [group commit, bisected on a bad row]. A batch that the server rejects is tried in halves,
 * so that one bad row refuses no other
 * and costs few round trips; callers that have waited too long by then are given up. A broken connection or an unavailable server
 * refuses them all, since the result is unknown.
 */
export const settleBatch = async <Item, Result>(
  run: Run<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
  { answer, giveUpLate }: Settling<Item, Result>,
): Promise<void> => {
  await run(batch.map((one) => one.item)).then(
    (results) => answer(batch, results),
    async (error: unknown) => {
      if (batch.length > 1 && isAboutOneRow(error)) {
        const middle = Math.ceil(batch.length / 2);
        for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
          const inTime = half.filter((one) => !giveUpLate(one));
          if (inTime.length > 0) await settleBatch(run, inTime, { answer, giveUpLate });
        }
      } else {
        for (const one of batch) one.reject(error);
      }
    },
  );
};
