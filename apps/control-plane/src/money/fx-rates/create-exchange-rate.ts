import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import { parseStrictTime } from '@svc/domain/agents/agents/strict-time.ts';
import { parseRate } from '@svc/domain/money/fx-rates/parse-rate.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { createExchangeRate as create } from '@svc/operations/money/fx-rates/create-exchange-rate.ts';
import { findPartRefusal } from '@svc/operations/money/fx-rates/part-refusal.ts';
import type { MoneyDeps } from '../deps.ts';

type CreateCall = Call<Endpoints['createExchangeRate']>;

const inputFault = ({ body, fault }: CreateCall): Refusal<'VALIDATION_FAILED'> | undefined => {
  for (const member of ['base_currency', 'quote_currency'] as const)
    if (!CURRENCIES.has(body[member])) return fault(`/${member}`, 'Must be the ISO 4217 code of a currency in circulation.');
  if (body.base_currency === body.quote_currency) return fault('/quote_currency', 'Must be different from the base currency.');
  if (parseRate(body.rate) === undefined) return fault('/rate', 'Must be greater than zero.');
  if (body.effective_at !== undefined && parseStrictTime(body.effective_at) === null)
    return fault('/effective_at', 'Must be a UTC time such as 2026-01-31T09:30:00.000Z.');
  return undefined;
};

export const createExchangeRate: Handler<Endpoints['createExchangeRate'], MoneyDeps> = (call) => {
  const refused = findPartRefusal(call.scope) ?? inputFault(call);
  if (refused) return refused;
  return call.change((change) => create(change, { ...asActing(call), body: call.body, steppedUpUntil: call.caller.steppedUpUntil }));
};
