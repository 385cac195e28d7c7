/** Mean and variance of counts per slot, with a half-life, over slots that had any. */
export type Baseline = { slot: number; count: number; mean: number; variance: number; slots: number };

export const newBaseline = (): Baseline => ({ slot: 0, count: 0, mean: 0, variance: 0, slots: 0 });

const DECAY = 1 - 2 ** (-1 / 288);
/** Below this count nothing is unusual, and a count is not clipped. */
const clip = (count: number, floor: number, { mean, slots }: Baseline): number =>
  slots >= 24 ? Math.min(count, Math.max(floor, 3 * mean)) : count;

const close = (baseline: Baseline, floor: number): void => {
  if (baseline.count === 0) return;
  const delta = clip(baseline.count, floor, baseline) - baseline.mean;
  const weight = Math.max(DECAY, 1 / (baseline.slots + 1));
  baseline.mean += weight * delta;
  baseline.variance = (1 - weight) * (baseline.variance + weight * delta * delta);
  baseline.slots += 1;
};

/** Sets the count of a slot. A slot that ended teaches the baseline; one in the past is left out. */
export const countSlot = (baseline: Baseline, slot: number, count: (current: number) => number, floor: number): void => {
  if (slot < baseline.slot) return;
  if (slot > baseline.slot) {
    close(baseline, floor);
    baseline.slot = slot;
    baseline.count = 0;
  }
  baseline.count = count(baseline.count);
};

/** Count from which a slot is unusual. */
export const computeUnusualBound = ({ mean, variance }: Baseline, floor: number): number =>
  Math.max(floor, 3 * mean, mean + 6 * Math.sqrt(Math.max(0, variance)));

export const countRecent = (baseline: Baseline, slot: number): number => (baseline.slot === slot ? baseline.count : 0);
