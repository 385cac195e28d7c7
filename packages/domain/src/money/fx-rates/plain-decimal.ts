import { parseRate } from './parse-rate.ts';

const NUMBER = /^([0-9]{1,40})(?:\.([0-9]{1,40}))?(?:[eE]([+-]?[0-9]{1,2}))?$/;
const DECIMALS_MAX = 18;

/** Returns a number scaled by a power of ten, rounded half up below one. */
const scaled = (digits: bigint, power: number): bigint => {
  if (power >= 0) return digits * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (digits + divisor / 2n) / divisor;
};

/**
 * Converts a JSON number, such as `0.92`, `1.10` or `3.9e-05`, to a decimal that `parseRate` reads: exact up to its eighteenth decimal
 * place. Undefined if it is not a number, not above zero, or too large.
 */
export const plainDecimal = (text: string): string | undefined => {
  const [, whole, decimals = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const value = scaled(BigInt(whole + decimals), Number(exponent) - decimals.length + DECIMALS_MAX);
  const digits = value.toString().padStart(DECIMALS_MAX + 1, '0');
  const plain = `${digits.slice(0, -DECIMALS_MAX)}.${digits.slice(-DECIMALS_MAX)}`.replace(/(?:\.|(?<![.0]))0+$/, '');
  return parseRate(plain) === undefined ? undefined : plain;
};
