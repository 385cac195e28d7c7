import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { parseStrictTime } from '@svc/domain/agents/agents/strict-time.ts';
import { parseRate } from '@svc/domain/money/fx-rates/parse-rate.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { fullRefusal } from '@svc/operations/tenancy/organization/full-refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { countStatedPairs, countUpcomingRates, insertRates } from '@svc/postgres/money/fx-rates/fx-rates.ts';
import { lockOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import type { ControlDeps } from '../../deps.ts';
import { looseningRefusal } from './store/loosening-refusal.ts';
import { partRefusal } from './store/part-refusal.ts';

const { upcomingMax, pairsMax } = LIMITS.exchangeRates;

type CreateCall = Call<Endpoints['createExchangeRate']>;

/** Why one more of this pair is not taken, if so. A pair that is there already may always have another rate. */
const roomRefusal = async (tx: TenantTransaction, { scope: { organization_id }, body, refuse, now }: CreateCall) => {
  const { effective_at = now } = body;
  if (new Date(effective_at) > now && (await countUpcomingRates(tx, organization_id, now)) >= upcomingMax)
    return refuse('UNPROCESSABLE', `At most ${upcomingMax} exchange rates can be scheduled for the future. Delete some first.`);
  const { others, isStated } = await countStatedPairs(tx, organization_id, body);
  if (isStated || others < pairsMax) return undefined;
  const most = `An organization can have rates for at most ${pairsMax} currency pairs; this would be ${others + 1}.`;
  const remedy = 'Delete rates that are not needed: two currencies can be converted through the base currency.';
  return fullRefusal('pairs', others + 1, pairsMax, `${most} ${remedy}`);
};

const inputFault = ({ body, fault }: CreateCall): Refusal<'VALIDATION_FAILED'> | undefined => {
  for (const member of ['base_currency', 'quote_currency'] as const)
    if (!CURRENCIES.has(body[member])) return fault(`/${member}`, 'Must be the ISO 4217 code of a currency in circulation.');
  if (body.base_currency === body.quote_currency) return fault('/quote_currency', 'Must be different from the base currency.');
  if (parseRate(body.rate) === undefined) return fault('/rate', 'Must be greater than zero.');
  if (body.effective_at !== undefined && parseStrictTime(body.effective_at) === null)
    return fault('/effective_at', 'Must be a UTC time such as 2026-01-31T09:30:00.000Z.');
  return undefined;
};

/** Stores a manual rate. It is in force from its moment on, by the clock of each decision, until a newer one is or it is deleted. */
export const createExchangeRate: Handler<Endpoints['createExchangeRate'], ControlDeps> = (call) => {
  const { organization_id } = call.scope;
  const { base_currency, quote_currency, rate, effective_at = call.now } = call.body;
  const refused = partRefusal(call.scope) ?? inputFault(call);
  if (refused) return refused;
  return call.change(async ({ tx, emit }) => {
    // Two at once must not both find room for the last one.
    await lockOrganization(tx, organization_id);
    const refusedNow = (await looseningRefusal(tx, call, call.body)) ?? (await roomRefusal(tx, call));
    if (refusedNow) return refusedNow;
    const [stored] = await insertRates(tx, organization_id, [
      {
        id: call.newId('exchange_rate'),
        base_currency,
        quote_currency,
        rate,
        source: 'MANUAL',
        effective_at,
        created_at: call.now,
        created_by: call.caller.actor.id,
      },
    ]);
    if (!stored) throw new Error('an exchange rate was stored and not given back');
    const after = { base_currency, quote_currency, rate, effective_at: stored.effective_at };
    emit('fx_rate.created', { ...about.exchange_rate(stored), data: { after } });
    return stored;
  });
};
