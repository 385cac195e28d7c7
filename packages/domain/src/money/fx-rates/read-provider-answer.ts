import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import { plainDecimal } from './plain-decimal.ts';

export type ProviderAnswer =
  /** Decimal text by currency: units of it for one of the base currency. `ignored` are codes that are no currency in circulation. */
  { readonly rates: ReadonlyMap<string, string>; readonly ignored: readonly string[] } | { readonly fault: string };

const IGNORED_TOLD_MAX = 50;
const CODE = /^[A-Z]{3,5}$/;

type Stated = { readonly base: unknown; readonly rates: readonly (readonly [code: string, rate: unknown])[] };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keeps numbers as text, so that none of them becomes a floating-point number. Undefined for invalid JSON. */
const parseExactly = (text: string): unknown => {
  const keepSpelling = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' ? context?.source : value;
  try {
    return JSON.parse(text, keepSpelling);
  } catch (error) {
    // Nested without end it is as little an answer as when it is cut off.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
};

/** `{base, rates}` and its cousins: `base_code` and `conversion_rates`, or `source` and `quotes` whose names hold both currencies. */
const fromObject = (answer: Readonly<Record<string, unknown>>): Stated | undefined => {
  const base = answer.base ?? answer.base_code ?? answer.source;
  const rates = answer.rates ?? answer.conversion_rates;
  if (isObject(rates)) return { base, rates: Object.entries(rates) };
  if (!isObject(answer.quotes) || typeof base !== 'string') return undefined;
  const quotes = Object.entries(answer.quotes);
  if (quotes.some(([pair]) => !pair.startsWith(base))) return undefined;
  return { base, rates: quotes.map(([pair, rate]) => [pair.slice(base.length), rate]) };
};

/** A list of `{base, quote, rate}`, all of one base. */
const fromList = (answer: readonly unknown[]): Stated | undefined => {
  const [first] = answer;
  if (!isObject(first) || !answer.every((each) => isObject(each) && each.base === first.base && typeof each.quote === 'string'))
    return undefined;
  return { base: first.base, rates: (answer as readonly { quote: string; rate: unknown }[]).map(({ quote, rate }) => [quote, rate]) };
};

const stated = (answer: unknown): Stated | undefined => {
  if (Array.isArray(answer)) return fromList(answer);
  return isObject(answer) && answer.success !== 'false' && answer.success !== false ? fromObject(answer) : undefined;
};

/**
 * Reads the response of an exchange-rate provider for a base currency. A response with any fault is rejected as a whole: a rate that
 * is not a plain number above zero, a base that was not requested, or a base that is not worth one of itself.
 */
export const readProviderAnswer = (text: string, baseCurrency: string): ProviderAnswer => {
  const answer = stated(parseExactly(text));
  if (answer === undefined) return { fault: 'The response is not JSON in a supported format.' };
  if (answer.base !== baseCurrency) return { fault: `The response is not for the base currency ${baseCurrency}.` };
  const rates = new Map<string, string>();
  const ignored: string[] = [];
  for (const [code, value] of answer.rates) {
    if (!CURRENCIES.has(code)) {
      if (CODE.test(code) && ignored.length < IGNORED_TOLD_MAX) ignored.push(code);
      continue;
    }
    const rate = typeof value === 'string' ? plainDecimal(value) : undefined;
    if (rate === undefined) return { fault: `The rate of ${code} must be a number above zero.` };
    if (code !== baseCurrency) rates.set(code, rate);
    else if (rate !== '1') return { fault: `The response states a rate of ${rate} for the base currency ${code}; it must be 1.` };
  }
  return rates.size === 0 ? { fault: 'The response contains no rate.' } : { rates, ignored };
};
