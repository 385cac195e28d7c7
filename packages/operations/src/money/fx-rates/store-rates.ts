import type { RatesInForce } from '@svc/contract/money/fx-rates.ts';
import { findNewestAutomatic } from '@svc/domain/money/fx-rates/newest-automatic.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { noteRefresh } from '@svc/postgres/money/fx-rates/exchange-rate-refreshes.ts';
import { insertRates, readRates } from '@svc/postgres/money/fx-rates/fx-rates.ts';
import { newId } from '@svc/program/ids/new-id.ts';

const DAY_MS = 86_400_000;

export type Fetched = {
  readonly base_currency: string;
  readonly rates: ReadonlyMap<string, string>;
  readonly ignored: readonly string[];
  readonly now: Date;
  readonly by: string;
};

export type Stored = { readonly changed: number; readonly unchanged: number };

/** Stores fetched rates. An unchanged rate is stored again once a day, so that its age shows when it was last seen. */
export const storeRates = async (
  { tx, emit }: Change<'fx_rate.refreshed'>,
  organizationId: string,
  { base_currency, rates, ignored, now, by }: Fetched,
): Promise<Stored> => {
  await noteRefresh(tx, organizationId, { base_currency, now, failure: null });
  const known = findNewestAutomatic(await readRates(tx, organizationId), base_currency);
  const isNew = ([quote, rate]: readonly [string, string]): boolean => {
    const last = known.get(quote);
    return last === undefined || last.rate !== rate || Date.parse(last.effective_at) <= now.getTime() - DAY_MS;
  };
  const fresh = [...rates].filter(isNew);
  await insertRates(
    tx,
    organizationId,
    fresh.map(([quote_currency, rate]) => ({
      id: newId('exchange_rate'),
      base_currency,
      quote_currency,
      rate,
      source: 'AUTOMATIC',
      effective_at: now,
      created_at: now,
      created_by: by,
    })),
  );
  const stored = { changed: fresh.length, unchanged: rates.size - fresh.length };
  const organization = about.organization({ id: organizationId });
  emit('fx_rate.refreshed', { ...organization, data: { base_currency, ...stored, ignored, after: Object.fromEntries(fresh) } });
  return stored;
};

/** Records that a fetch returned nothing; stored rates stay in force. `always` records it even if the previous fetch failed equally. */
export const noteFailure = async (
  { tx, emit }: Change<'fx_rate.refresh_failed'>,
  organizationId: string,
  {
    base_currency,
    failure,
    now,
    always,
  }: {
    readonly base_currency: string;
    readonly failure: NonNullable<RatesInForce['provider']['failure']>;
    readonly now: Date;
    readonly always: boolean;
  },
): Promise<void> => {
  const before = await noteRefresh(tx, organizationId, { base_currency, now, failure });
  const organization = about.organization({ id: organizationId });
  if (always || before !== failure) emit('fx_rate.refresh_failed', { ...organization, data: { base_currency, failure } });
};
