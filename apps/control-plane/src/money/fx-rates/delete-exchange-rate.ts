import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deleteExchangeRate as remove } from '@svc/operations/money/fx-rates/delete-exchange-rate.ts';
import type { MoneyDeps } from '../deps.ts';

export const deleteExchangeRate: Handler<Endpoints['deleteExchangeRate'], MoneyDeps> = (call) =>
  call.change((change) => remove(change, { ...asActing(call), rateId: call.params.rateId, steppedUpUntil: call.caller.steppedUpUntil }));
