import type { RiskSettings } from '@svc/contract/risk/risk-settings.ts';
import type { Environment } from '@svc/contract/tenancy/environments.ts';
import { resolveSettings } from '@svc/domain/risk/risk-settings/resolve-settings.ts';
import type { StoredRiskSettings } from '@svc/postgres/risk/risk-settings.ts';

/** Formats the risk settings of an environment. */
export const asRiskSettings = ({ id, type }: Pick<Environment, 'id' | 'type'>, stored: StoredRiskSettings | undefined): RiskSettings => ({
  environment_id: id,
  ...resolveSettings(type, stored?.settings ?? {}),
  updated_at: stored?.updated_at ?? null,
  updated_by: stored?.updated_by ?? null,
});
