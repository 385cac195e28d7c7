import { LIMITS } from '@svc/contract/tables/limits.ts';
import { UnfitRow } from './unfit-row.ts';

type Load<Snapshot> = (organizationId: string, id: string) => Promise<Snapshot | undefined>;

type Found = { readonly error: UnfitRow; readonly epoch: number | undefined; readonly untilMs: number };

const { unfitKeptMs, unfitKeptMax } = LIMITS.snapshots;

/**
 * Negative cache of snapshots that are unfit for decisions: while the epoch is the same the refusal is, too, and nothing is read and
 * validated
 * again. `readEpoch` is called before a load, and only if an earlier load found an unfit row. For a few
 * seconds at most, since a repair that bypasses the triggers increases no epoch.
 */
export const rememberUnfit = <Snapshot>(
  load: Load<Snapshot>,
  readEpoch: (organizationId: string, id: string) => Promise<number | undefined>,
  nowMs: () => number = () => performance.now(),
): Load<Snapshot> => {
  const found = new Map<string, Found>();
  const remember = (key: string, one: Found): void => {
    found.delete(key);
    found.set(key, one);
    const [oldest] = found.keys();
    if (found.size > unfitKeptMax && oldest !== undefined) found.delete(oldest);
  };
  return async (organizationId, id) => {
    const key = `${organizationId}/${id}`;
    const known = found.get(key);
    const epoch = known && (await readEpoch(organizationId, id));
    if (known && epoch !== undefined && known.epoch === epoch && nowMs() < known.untilMs) throw known.error;
    try {
      const snapshot = await load(organizationId, id);
      found.delete(key);
      return snapshot;
    } catch (error) {
      if (error instanceof UnfitRow) remember(key, { error, epoch, untilMs: nowMs() + unfitKeptMs });
      throw error;
    }
  };
};
