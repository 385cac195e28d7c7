import type { Endpoints } from '@svc/contract/endpoints.ts';
import { SETTINGS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findPartRefusal } from '@svc/operations/money/fx-rates/part-refusal.ts';
import { noteFailure, storeRates } from '@svc/operations/money/fx-rates/store-rates.ts';
import { keep } from '@svc/postgres/change/change.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import type { MoneyDeps } from '../deps.ts';

/** Fetches automatic rates now. No database connection is held during the call, and a failure leaves every stored rate in force. */
export const refreshExchangeRates: Handler<Endpoints['refreshExchangeRates'], MoneyDeps> = async (call, { rateProvider }) => {
  const { organization_id } = call.scope;
  const refused = findPartRefusal(call.scope);
  if (refused) return refused;
  if (!rateProvider)
    return call.refuse(
      'UNPROCESSABLE',
      `No exchange rate provider is configured. The operator can set one with ${SETTINGS.exchangeRateProviderUrl}.`,
    );
  const { base_currency } = await readInTenant(call.database, call.scope, (tx) => readOrganization(tx, organization_id));
  const answer = await rateProvider.fetchRates(base_currency);
  const { now } = call;
  return call.change(async (change) => {
    if ('fault' in answer) {
      await noteFailure(change, organization_id, { base_currency, failure: answer.fault, now, always: true });
      return keep(call.refuse('DEPENDENCY_UNAVAILABLE', `No exchange rates were fetched; the stored ones stay in force. ${answer.fault}`));
    }
    const { rates, ignored } = answer;
    const stored = await storeRates(change, organization_id, { base_currency, rates, ignored, now, by: call.caller.actor.id });
    return { base_currency, refreshed_at: now.toISOString(), ...stored, ignored: [...ignored] };
  });
};
