import { RATE_PATTERN } from '@svc/contract/money/fx-rates.ts';

/** A positive fraction, exact. */
export type Ratio = { readonly numerator: bigint; readonly denominator: bigint };

const READABLE = new RegExp(RATE_PATTERN);

/** Parses a decimal such as "0.9231" to a fraction, without floating point. Undefined if it is not a plain decimal, too long, or zero. */
export const parseRate = (text: string): Ratio | undefined => {
  if (!READABLE.test(text)) return undefined;
  const [whole = '', decimals = ''] = text.split('.');
  const numerator = BigInt(whole + decimals);
  return numerator === 0n ? undefined : { numerator, denominator: 10n ** BigInt(decimals.length) };
};
