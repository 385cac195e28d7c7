import type { RatesAtTime } from '@svc/domain/agents/delegations/ceiling-within.ts';
import { newRateTable } from '@svc/domain/money/fx-rates/rate-table.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { readRates } from '@svc/postgres/money/fx-rates/fx-rates.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';

/** Returns the conversion for comparing amounts at a time: the organization's rates, from and to its base currency. */
export const getConversionAt = async (tx: TenantTransaction, organizationId: string, now: Date): Promise<RatesAtTime> => {
  const { base_currency } = await readOrganization(tx, organizationId);
  return { rates: newRateTable(base_currency, await readRates(tx, organizationId)), now };
};
