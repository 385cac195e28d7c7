import { convertMinor } from '@svc/domain/money/convert.ts';
import { newRateTable, type RateTable } from '@svc/domain/money/rate-table.ts';
import type { Unrated } from '@svc/policy/analyse/without-rate.ts';
import { readRates } from '@svc/postgres/exchange-rates.ts';
import type { TenantTransaction } from '@svc/postgres/in-tenant.ts';
import { readOrganization } from '@svc/postgres/organizations.ts';
import { readToolsInReach, type ToolsInReach } from '@svc/postgres/tools-in-reach.ts';

/** What a version is looked at with: the tools its rules can be about, and the rates by which amounts are compared. */
export type Surroundings = { readonly organization_id: string; readonly tools: ToolsInReach; readonly rates: RateTable };

export const readSurroundings = async (
  tx: TenantTransaction,
  organizationId: string,
  bindings: Parameters<typeof readToolsInReach>[2],
): Promise<Surroundings> => {
  const { base_currency } = await readOrganization(tx, organizationId);
  const tools = await readToolsInReach(tx, organizationId, bindings);
  return { organization_id: organizationId, tools, rates: newRateTable(base_currency, await readRates(tx, organizationId)) };
};

/** Which currencies amounts cannot be compared from now, in the base currency and in the one a version is written in. */
export const unratedBy =
  ({ rates }: Surroundings, writtenIn: string | undefined, now: Date): Unrated =>
  (currency) =>
    [rates.base_currency, writtenIn ?? rates.base_currency].find((into) => 'missing' in convertMinor(1, currency, into, rates, now)) ??
    null;
