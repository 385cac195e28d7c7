import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { deleteRate, lockRate } from '@svc/postgres/money/fx-rates/fx-rates.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { findLooseningRefusal } from './loosening-refusal.ts';
import { findPartRefusal } from './part-refusal.ts';

type DeleteExchangeRateRequest = CallContext & { readonly rateId: string; readonly steppedUpUntil: string | null };

/** Deletes a manual rate: the previous manual one applies again, else the automatic one. */
export const deleteExchangeRate = async ({ tx, emit }: Change<'fx_rate.deleted'>, request: DeleteExchangeRateRequest) => {
  const { organization_id } = request.scope;
  const stored = await lockRate(tx, organization_id, request.rateId);
  if (!stored || stored.deleted_at !== null) return buildRefusal('NOT_FOUND');
  const refused = findPartRefusal(request.scope);
  if (refused) return refused;
  if (stored.source !== 'MANUAL')
    return buildRefusal('UNPROCESSABLE', 'Only a manual exchange rate can be deleted. To override an automatic rate, set a manual one.');
  const { base_currency, quote_currency, rate, effective_at } = stored;
  const before = { base_currency, quote_currency, rate, effective_at };
  emit('fx_rate.deleted', { ...about.exchange_rate(stored), data: { before } });
  const deleted = await deleteRate(tx, organization_id, stored.id, request.now);
  return (await findLooseningRefusal(tx, request, stored)) ?? deleted;
};
