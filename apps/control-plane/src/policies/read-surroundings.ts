import { convertMinor } from '@svc/domain/money/convert.ts';
import { newRateTable, type RateTable } from '@svc/domain/money/rate-table.ts';
import { namedCurrencies } from '@svc/policy/analyse/without-rate.ts';
import type { CompiledVersion } from '@svc/policy/compile-version.ts';
import { readRates } from '@svc/postgres/exchange-rates.ts';
import type { TenantTransaction } from '@svc/postgres/in-tenant.ts';
import { readOrganization } from '@svc/postgres/organizations.ts';
import { readToolsInReach, type ToolsInReach } from '@svc/postgres/tools-in-reach.ts';

/** What a version is looked at with: the tools its rules can be about, and the rates by which amounts are compared. */
export type Surroundings = { readonly tools: ToolsInReach; readonly rates: RateTable };

export const readSurroundings = async (
  tx: TenantTransaction,
  organizationId: string,
  bindings: Parameters<typeof readToolsInReach>[2],
): Promise<Surroundings> => {
  const { base_currency } = await readOrganization(tx, organizationId);
  const tools = await readToolsInReach(tx, organizationId, bindings);
  return { tools, rates: newRateTable(base_currency, await readRates(tx, organizationId)) };
};

/** The currencies that a version names and whose amounts cannot be compared now, in the base currency or in the one it is written in. */
export const unratedIn = ({ source }: CompiledVersion, { rates }: Surroundings, now: Date): Record<string, string> => {
  const compared = [rates.base_currency, source.currency ?? rates.base_currency];
  const missing = (currency: string) => compared.find((into) => 'missing' in convertMinor(1, currency, into, rates, now));
  return Object.fromEntries(
    namedCurrencies(source.body).flatMap((currency) => {
      const into = missing(currency);
      return into === undefined ? [] : [[currency, into]];
    }),
  );
};
