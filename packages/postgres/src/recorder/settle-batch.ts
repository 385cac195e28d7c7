import pg from 'pg';
import { isUnavailable } from '../is-unavailable.ts';
import { Unsendable } from './composite.ts';

export type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

type Run<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/** A server that shuts down, starts up or cancels for time says so to every row alike, each time after a wait of its own. */
const isAboutOneRow = (error: unknown): boolean =>
  error instanceof Unsendable || (error instanceof pg.DatabaseError && !isUnavailable(error));

/**
 * Runs a batch and answers each of those who wait. A batch that the server rejects is tried row by row, so that one bad row refuses
 * nobody else; a broken connection or a server that cannot serve refuses them all, since what happened is not known.
 */
export const settleBatch = async <Item, Result>(run: Run<Item, Result>, batch: readonly Waiting<Item, Result>[]): Promise<void> => {
  await run(batch.map((one) => one.item)).then(
    (results) => {
      for (const [index, one] of batch.entries()) one.resolve(results[index] as Result);
    },
    async (error: unknown) => {
      if (batch.length > 1 && isAboutOneRow(error)) {
        for (const one of batch) await settleBatch(run, [one]);
      } else {
        for (const one of batch) one.reject(error);
      }
    },
  );
};
