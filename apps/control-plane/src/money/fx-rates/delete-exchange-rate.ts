import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { deleteRate, lockRate } from '@svc/postgres/money/fx-rates/fx-rates.ts';
import type { ControlDeps } from '../../deps.ts';
import { looseningRefusal } from './store/loosening-refusal.ts';
import { partRefusal } from './store/part-refusal.ts';

/** Takes a manual rate out of force: the manual one before it counts again, or else the automatic one. */
export const deleteExchangeRate: Handler<Endpoints['deleteExchangeRate'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const stored = await lockRate(tx, organization_id, call.params.rateId);
    if (!stored || stored.deleted_at !== null) return call.refuse('NOT_FOUND');
    const refused = partRefusal(call.scope);
    if (refused) return refused;
    if (stored.source !== 'MANUAL')
      return call.refuse('UNPROCESSABLE', 'Only a manual exchange rate can be deleted. To override an automatic rate, set a manual one.');
    const { base_currency, quote_currency, rate, effective_at } = stored;
    const before = { base_currency, quote_currency, rate, effective_at };
    emit('fx_rate.deleted', { ...about.exchange_rate(stored), data: { before } });
    const deleted = await deleteRate(tx, organization_id, stored.id, call.now);
    return (await looseningRefusal(tx, call, stored)) ?? deleted;
  });
