import { getCurrencyExponent } from '@svc/contract/tables/currencies.ts';
import type { Ratio } from './parse-rate.ts';
import { type RateTable, type ReadyRate, rateInForce } from './rate-table.ts';

export type ConversionResult =
  /** Minor units of the other currency, and the rates it was reckoned with: none, one, or two that meet in the base currency. */
  | { readonly ok: number; readonly by: readonly ReadyRate[] }
  /** No rate leads from the first to the second. */
  | { readonly missing: readonly [from: string, to: string] }
  /** More minor units than a number holds exactly. */
  | { readonly too_large: readonly [from: string, to: string] };

const MOST = BigInt(Number.MAX_SAFE_INTEGER);

/** A rate of EUR to USD turned round is its exact inverse; nothing is rounded before the end. */
const ratioFrom = (rate: ReadyRate, from: string): Ratio =>
  rate.base_currency === from ? rate.ratio : { numerator: rate.ratio.denominator, denominator: rate.ratio.numerator };

type Way = { readonly ratio: Ratio; readonly by: readonly ReadyRate[] };

const findWay = (from: string, to: string, rates: RateTable, at: Date): Way | undefined => {
  const own = rateInForce(rates, from, to, at);
  if (own) return { ratio: ratioFrom(own, from), by: [own] };
  const middle = rates.base_currency;
  const [first, second] = [rateInForce(rates, from, middle, at), rateInForce(rates, middle, to, at)];
  if (!first || !second) return undefined;
  const [one, other] = [ratioFrom(first, from), ratioFrom(second, middle)];
  return {
    ratio: { numerator: one.numerator * other.numerator, denominator: one.denominator * other.denominator },
    by: [first, second],
  };
};

/** Later than every rate becomes effective. */
const LAST = new Date(8_640_000_000_000_000);

/** True if amounts can be converted between two currencies, now or by rates that become effective later. */
export const isConvertible = (from: string, to: string, rates: RateTable): boolean => findWay(from, to, rates, LAST) !== undefined;

/**
 * An amount in minor units of `from` as minor units of `to`, at the rates in force at `at`. Exact until the last step, which rounds up:
 * what is compared with a limit never looks smaller than it is. Throws when the amount is not a whole number from 0 up.
 */
export const convertMinor = (amount: number, from: string, to: string, rates: RateTable, at: Date): ConversionResult => {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError('an amount is a whole number of minor units, from 0 up');
  if (from === to) return { ok: amount, by: [] };
  const [placesFrom, placesTo] = [getCurrencyExponent(from), getCurrencyExponent(to)];
  const way = findWay(from, to, rates, at);
  if (way === undefined || placesFrom === undefined || placesTo === undefined) return { missing: [from, to] };
  const numerator = BigInt(amount) * way.ratio.numerator * 10n ** BigInt(placesTo);
  const denominator = way.ratio.denominator * 10n ** BigInt(placesFrom);
  const result = (numerator + denominator - 1n) / denominator;
  return result > MOST ? { too_large: [from, to] } : { ok: Number(result), by: way.by };
};
