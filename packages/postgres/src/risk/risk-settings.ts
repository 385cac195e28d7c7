import type { ChosenRiskSettings } from '@svc/contract/risk/risk-settings.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

export type StoredRiskSettings = {
  readonly settings: ChosenRiskSettings;
  readonly updated_at: string;
  readonly updated_by: string;
};

/** Returns the configured risk settings of an environment; undefined if there are none. */
export const findRiskSettings = async (
  tx: TenantTransaction,
  organizationId: string,
  environmentId: string,
): Promise<StoredRiskSettings | undefined> =>
  await tx
    .selectFrom('risk_settings')
    .select(['settings', 'updated_at', 'updated_by'])
    .where('organization_id', '=', organizationId)
    .where('environment_id', '=', environmentId)
    .executeTakeFirst();

export type NewRiskSettings = {
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly settings: ChosenRiskSettings;
  readonly updated_by: string;
  readonly now: Date;
};

export const putRiskSettings = async (tx: TenantTransaction, { now, settings, ...row }: NewRiskSettings): Promise<void> => {
  const written = { settings: JSON.stringify(settings), updated_by: row.updated_by, updated_at: now };
  await tx
    .insertInto('risk_settings')
    .values({ ...row, ...written })
    .onConflict((conflict) => conflict.columns(['organization_id', 'environment_id']).doUpdateSet(written))
    .execute();
};
