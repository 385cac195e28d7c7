import type { ExchangeRate } from '@svc/contract/money/fx-rates.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { isConvertible } from '@svc/domain/money/fx-rates/convert.ts';
import { newRateTable } from '@svc/domain/money/fx-rates/rate-table.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { readRates } from '@svc/postgres/money/fx-rates/fx-rates.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import { hasFreshStepUp, type SteppedUp, stepUpRefusal } from '../../people/auth/step-up.ts';

type Setting = SteppedUp & { readonly scope: { readonly organization_id: string }; readonly now: Date };

/**
 * Returns why the caller may not change how two currencies are converted. A rate counts in both directions, so any new value makes some
 * amount look smaller to a rule than before. A first rate, and the removal of the last one, change no amount that rules compare.
 */
export const findLooseningRefusal = async (
  tx: TenantTransaction,
  caller: Setting,
  { base_currency, quote_currency }: Pick<ExchangeRate, 'base_currency' | 'quote_currency'>,
): Promise<Refusal<'STEP_UP_REQUIRED'> | undefined> => {
  const { organization_id } = caller.scope;
  if (hasFreshStepUp(caller, caller.now)) return undefined;
  const organization = await readOrganization(tx, organization_id);
  const rates = newRateTable(organization.base_currency, await readRates(tx, organization_id));
  return isConvertible(base_currency, quote_currency, rates) ? stepUpRefusal(caller) : undefined;
};
