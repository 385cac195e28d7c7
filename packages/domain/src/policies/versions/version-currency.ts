import type { PolicyRule, VersionBody } from '@svc/contract/policies/language.ts';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import { fieldsRead } from '@svc/policy/language/fields-read.ts';

const faultAt = (message: string): Refusal<'VALIDATION_FAILED'> =>
  refusal('VALIDATION_FAILED', message, { faults: [{ pointer: '/currency', message }] });

/** A currency that nobody can have amounts in; undefined when there is nothing against the one that is named. */
export const currencyFault = (currency: string | undefined): Refusal<'VALIDATION_FAILED'> | undefined =>
  currency === undefined || CURRENCIES.has(currency) ? undefined : faultAt('Must be the ISO 4217 code of a currency in circulation.');

const holdsAmounts = ({ when, limit }: PolicyRule): boolean => limit?.max_amount !== undefined || fieldsRead(when).includes('amount');

type Before = { readonly currency: string; readonly baseCurrency: string };

/**
 * What the amounts of a changed version are written in. Rules that stay keep theirs. New ones are in the base currency, unless that has
 * changed since: 500.00 of one currency must not turn into 500 of another because somebody sent back the rules they had read.
 */
export const versionCurrency = (
  { currency: named, rules }: { readonly currency?: string; readonly rules?: unknown },
  body: VersionBody,
  { currency, baseCurrency }: Before,
): string | Refusal<'VALIDATION_FAILED'> => {
  if (named !== undefined) return currencyFault(named) ?? named;
  if (rules === undefined) return currency;
  if (currency === baseCurrency || !body.rules.some(holdsAmounts)) return baseCurrency;
  return faultAt(
    `The amounts of the previous version are in ${currency}, but the base currency is now ${baseCurrency}. State which of the two this version uses.`,
  );
};
