const BUCKETS = 64;
const BASE = Math.log(1.35);
const HALVED_AT = 4_096;

export const newAmounts = (): Uint16Array => new Uint16Array(BUCKETS);

const getBucket = (amount: number): number => (amount < 1 ? 0 : Math.min(BUCKETS - 1, 1 + Math.floor(Math.log(amount) / BASE)));
const lowerBound = (bucket: number): number => (bucket === 0 ? 0 : 1.35 ** (bucket - 1));

const getCount = (amounts: Uint16Array): number => amounts.reduce((sum, count) => sum + count, 0);

/** Number of amounts, and the amount that 99 of 100 stay below, about. */
export const computeAmountBaseline = (amounts: Uint16Array): { readonly count: number; readonly q99: number } => {
  const count = getCount(amounts);
  let sum = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    sum += amounts[bucket] as number;
    if (sum >= 0.99 * count) return { count, q99: Math.round(lowerBound(bucket + 1)) };
  }
  return { count, q99: 0 };
};

/** Learns an amount. One large amount shifts the usual one at most threefold. */
export const learnAmount = (amounts: Uint16Array, amount: number): void => {
  const { count, q99 } = computeAmountBaseline(amounts);
  const bucket = getBucket(count >= 30 ? Math.min(amount, 3 * q99) : amount);
  amounts[bucket] = (amounts[bucket] as number) + 1;
  if (count + 1 >= HALVED_AT) for (let at = 0; at < BUCKETS; at += 1) amounts[at] = (amounts[at] as number) >> 1;
};
