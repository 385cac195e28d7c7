import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const LOOK_MS = 100;
const WITHIN_MS = 120_000;

/** Waits until the worker has sealed what was recorded, so that the next period is not disturbed by it. */
export const waitForUntilSealed = async (owner: pg.Client): Promise<void> => {
  for (const end = performance.now() + WITHIN_MS; performance.now() < end; await sleep(LOOK_MS)) {
    const { rowCount } = await owner.query(
      `select from feed_positions p join lateral (
           select from audit_events e where e.transaction_id >= p.transaction_id and (e.transaction_id > p.transaction_id or e.id > p.id) limit 1
         ) as next on true where p.consumer = 'seal-events'`,
    );
    if (rowCount === 0) return;
  }
  throw new Error(`the worker did not seal what was recorded within ${WITHIN_MS / 1_000} s`);
};
