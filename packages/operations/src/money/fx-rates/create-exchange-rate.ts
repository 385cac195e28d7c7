import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createFullRefusal } from '@svc/domain/tenancy/organization/full-refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { countStatedPairs, countUpcomingRates, insertRates } from '@svc/postgres/money/fx-rates/fx-rates.ts';
import { lockOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { findLooseningRefusal } from './loosening-refusal.ts';

type CreateExchangeRateRequest = CallContext & {
  readonly body: EndpointBody<Endpoints['createExchangeRate']>;
  readonly steppedUpUntil: string | null;
};

const { upcomingMax, pairsMax } = LIMITS.exchangeRates;

/** Returns a refusal if the organization has too many currency pairs. An existing pair may always get another rate. */
const roomRefusal = async (tx: TenantTransaction, { scope: { organization_id }, body, now }: CreateExchangeRateRequest) => {
  const { effective_at = now } = body;
  if (new Date(effective_at) > now && (await countUpcomingRates(tx, organization_id, now)) >= upcomingMax)
    return buildRefusal('UNPROCESSABLE', `At most ${upcomingMax} exchange rates can be scheduled for the future. Delete some first.`);
  const { others, isStated } = await countStatedPairs(tx, organization_id, body);
  if (isStated || others < pairsMax) return undefined;
  const most = `An organization can have rates for at most ${pairsMax} currency pairs; this would be ${others + 1}.`;
  const remedy = 'Delete rates that are not needed: two currencies can be converted through the base currency.';
  return createFullRefusal('pairs', others + 1, pairsMax, `${most} ${remedy}`);
};

/** Stores a manual rate. It is in force from its time on, by the clock of each decision, until a newer one is in force or it is deleted. */
export const createExchangeRate = async ({ tx, emit }: Change<'fx_rate.created'>, request: CreateExchangeRateRequest) => {
  const { organization_id } = request.scope;
  const { base_currency, quote_currency, rate, effective_at = request.now } = request.body;
  // Two concurrent requests must not both get the last slot.
  await lockOrganization(tx, organization_id);
  const refusedNow = (await findLooseningRefusal(tx, request, request.body)) ?? (await roomRefusal(tx, request));
  if (refusedNow) return refusedNow;
  const [stored] = await insertRates(tx, organization_id, [
    {
      id: newId('exchange_rate'),
      base_currency,
      quote_currency,
      rate,
      source: 'MANUAL',
      effective_at,
      created_at: request.now,
      created_by: request.actor.id,
    },
  ]);
  if (!stored) throw new Error('an exchange rate was stored and not given back');
  const after = { base_currency, quote_currency, rate, effective_at: stored.effective_at };
  emit('fx_rate.created', { ...about.exchange_rate(stored), data: { after } });
  return stored;
};
