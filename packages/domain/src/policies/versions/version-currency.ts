import type { PolicyRule, VersionBody } from '@svc/contract/policies/language.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import { fieldsRead } from '@svc/policy/language/fields-read.ts';

const faultAt = (message: string): Refusal<'VALIDATION_FAILED'> =>
  buildRefusal('VALIDATION_FAILED', message, { faults: [{ pointer: '/currency', message }] });

/** Returns why a currency cannot be used for amounts; undefined if it can. */
export const findCurrencyFault = (currency: string | undefined): Refusal<'VALIDATION_FAILED'> | undefined =>
  currency === undefined || CURRENCIES.has(currency) ? undefined : faultAt('Must be the ISO 4217 code of a currency in circulation.');

const holdsAmounts = ({ when, limit }: PolicyRule): boolean => limit?.max_amount !== undefined || fieldsRead(when).includes('amount');

type Before = { readonly currency: string; readonly baseCurrency: string };

/**
 * Returns the currency of a changed version. Unchanged rules keep theirs. New ones use the base currency, unless that has changed since:
 * 500.00 of one currency must not become 500 of another because a client sent back the rules it had read.
 */
export const getVersionCurrency = (
  { currency: named, rules }: { readonly currency?: string; readonly rules?: unknown },
  body: VersionBody,
  { currency, baseCurrency }: Before,
): string | Refusal<'VALIDATION_FAILED'> => {
  if (named !== undefined) return findCurrencyFault(named) ?? named;
  if (rules === undefined) return currency;
  if (currency === baseCurrency || !body.rules.some(holdsAmounts)) return baseCurrency;
  return faultAt(
    `The amounts of the previous version are in ${currency}, but the base currency is now ${baseCurrency}. State which of the two this version uses.`,
  );
};
