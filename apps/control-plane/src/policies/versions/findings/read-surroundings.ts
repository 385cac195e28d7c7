import type { Staff } from '@svc/domain/actions/approvals/approver-warnings.ts';
import { convertMinor } from '@svc/domain/money/fx-rates/convert.ts';
import { newRateTable, type RateTable } from '@svc/domain/money/fx-rates/rate-table.ts';
import type { Around } from '@svc/policy/analyse/grants.ts';
import type { Unrated } from '@svc/policy/analyse/without-rate.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { readRates } from '@svc/postgres/money/fx-rates/fx-rates.ts';
import { readStaff } from '@svc/postgres/people/roles.ts';
import { readAround } from '@svc/postgres/policies/policies/rules-around.ts';
import { readToolsInReach, type ToolsInReach } from '@svc/postgres/policies/policies/tools-in-reach.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';

/** What a version is looked at with: the tools its rules can be about, the rates by which amounts are compared, and who could approve. */
export type Surroundings = {
  readonly organization_id: string;
  readonly tools: ToolsInReach;
  readonly rates: RateTable;
  readonly staff: Staff;
  readonly around: Around | null;
};

/** `saved` is the policy that has this version, where it has one already, and what its amounts are written in where that is said. */
export const readSurroundings = async (
  tx: TenantTransaction,
  organizationId: string,
  bindings: Parameters<typeof readToolsInReach>[2],
  saved: { readonly policy_id?: string; readonly currency?: string | undefined } = {},
): Promise<Surroundings> => {
  const { base_currency } = await readOrganization(tx, organizationId);
  const tools = await readToolsInReach(tx, organizationId, bindings);
  const rates = newRateTable(base_currency, await readRates(tx, organizationId));
  const staff = await readStaff(tx, organizationId);
  const around = await readAround(tx, organizationId, bindings, { ...saved, currency: saved.currency ?? base_currency });
  return { organization_id: organizationId, tools, rates, staff, around };
};

/** Which currencies amounts cannot be compared from now, in the base currency and in the one a version is written in. */
export const unratedBy =
  ({ rates }: Surroundings, writtenIn: string | undefined, now: Date): Unrated =>
  (currency) =>
    [rates.base_currency, writtenIn ?? rates.base_currency].find((into) => 'missing' in convertMinor(1, currency, into, rates, now)) ??
    null;
