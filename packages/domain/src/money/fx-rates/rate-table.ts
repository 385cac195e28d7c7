import type { RateSource } from '@svc/contract/money/fx-rates.ts';
import { parseRate, type Ratio } from './parse-rate.ts';

/** A stored rate: units of the quote currency per unit of the base currency, from a moment on. */
export type StoredRate = {
  readonly id: string;
  readonly base_currency: string;
  readonly quote_currency: string;
  /** Decimal text. */
  readonly rate: string;
  readonly source: RateSource;
  /** ISO-8601 UTC with milliseconds. */
  readonly effective_at: string;
};

export type ReadyRate = StoredRate & { readonly ratio: Ratio; readonly effectiveMs: number };

/** Rates of an organization, future ones included. Query it with the decision's clock. */
export type RateTable = {
  /** Two currencies without a rate of their own meet in this one, and in no other. */
  readonly base_currency: string;
  /** Rates by `pairKey`, in order of preference. */
  readonly pairs: ReadonlyMap<string, readonly ReadyRate[]>;
};

/** One key for both directions: a rate of EUR to USD is also one of USD to EUR. */
const pairKey = (one: string, other: string): string => (one < other ? `${one}/${other}` : `${other}/${one}`);

const isManual = ({ source }: ReadyRate): number => (source === 'MANUAL' ? 1 : 0);

/** Prefers rates set by a person to fetched ones; then the latest effective; then the latest stored. */
const byPreference = (one: ReadyRate, other: ReadyRate): number =>
  isManual(other) - isManual(one) || other.effectiveMs - one.effectiveMs || (one.id < other.id ? 1 : -1);

/** A stored rate was checked when it came in; one that cannot be read was written by something else, and nothing is decided on it. */
const readied = (stored: StoredRate): ReadyRate => {
  const ratio = parseRate(stored.rate);
  const effectiveMs = Date.parse(stored.effective_at);
  if (ratio === undefined || Number.isNaN(effectiveMs)) throw new Error('a stored exchange rate cannot be read');
  return { ...stored, ratio, effectiveMs };
};

export const newRateTable = (baseCurrency: string, stored: readonly StoredRate[]): RateTable => {
  const pairs = new Map<string, ReadyRate[]>();
  for (const rate of stored.map(readied)) {
    const key = pairKey(rate.base_currency, rate.quote_currency);
    const known = pairs.get(key);
    if (known) known.push(rate);
    else pairs.set(key, [rate]);
  }
  for (const rates of pairs.values()) rates.sort(byPreference);
  return { base_currency: baseCurrency, pairs };
};

/** Returns the rate between two currencies that is in force at a moment, in either direction. */
export const rateInForce = (rates: RateTable, one: string, other: string, at: Date): ReadyRate | undefined =>
  rates.pairs.get(pairKey(one, other))?.find(({ effectiveMs }) => effectiveMs <= at.getTime());

/** Identifiers of the rates in force at a moment, one for each pair. */
export const ratesInForce = (rates: RateTable, at: Date): ReadonlySet<string> =>
  new Set(
    [...rates.pairs.values()].flatMap(([first]) =>
      first ? (rateInForce(rates, first.base_currency, first.quote_currency, at)?.id ?? []) : [],
    ),
  );
