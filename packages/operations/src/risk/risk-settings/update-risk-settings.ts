import type { ChosenRiskSettings, RiskSettings } from '@svc/contract/risk/risk-settings.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { listLoosenedMembers } from '@svc/domain/risk/risk-settings/loosened-members.ts';
import { findSettingsFaults } from '@svc/domain/risk/risk-settings/settings-faults.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findRiskSettings, putRiskSettings } from '@svc/postgres/risk/risk-settings.ts';
import { lockEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { asRiskSettings } from './as-risk-settings.ts';

export type RiskSettingsChange = CallContext & {
  readonly environmentId: string;
  readonly chosen: ChosenRiskSettings;
  readonly reason: string;
  /** The version that the change is based on; undefined replaces any. */
  readonly expectedVersion: number | undefined;
  /** Refuses a caller who may not loosen; undefined for one who may. Called only if something is loosened. */
  readonly refuseLoosening: () => Refusal<'STEP_UP_REQUIRED'> | undefined;
};

const CHANGED = 'The risk settings were changed in the meantime. Read them, and apply your change to them.';

/** Returns the members that a change modified, before and after. */
const changedMembers = (before: RiskSettings, after: RiskSettings) => {
  const { updated_at: _, updated_by: __, environment_id: ___, version: ____, ...members } = after;
  const changed = (Object.keys(members) as (keyof typeof members)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const only = (settings: RiskSettings) => Object.fromEntries(changed.map((name) => [name, settings[name]]));
  return { before: only(before), after: only(after) };
};

/** Replaces the risk settings of an environment. Loosening requires a person with a step-up, and is recorded as critical. */
export const updateRiskSettings = async (
  { tx, emit }: Change<'risk.configuration_updated'>,
  { scope, actor, now, environmentId, chosen, reason, expectedVersion, refuseLoosening }: RiskSettingsChange,
): Promise<RiskSettings | Refusal<'NOT_FOUND' | 'STEP_UP_REQUIRED' | 'VALIDATION_FAILED' | 'VERSION_CONFLICT'>> => {
  const { organization_id } = scope;
  const environment = await lockEnvironment(tx, organization_id, environmentId);
  if (!environment) return buildRefusal('NOT_FOUND');
  const before = asRiskSettings(environment, await findRiskSettings(tx, organization_id, environmentId));
  if (expectedVersion !== undefined && expectedVersion !== before.version)
    return buildRefusal('VERSION_CONFLICT', CHANGED, { expected_version: expectedVersion, version: before.version });
  const after = asRiskSettings(environment, {
    settings: chosen,
    version: before.version,
    updated_at: now.toISOString(),
    updated_by: actor.id,
  });
  // All thresholds are checked after the change, also those that were not set.
  const faults = findSettingsFaults({ ...chosen, thresholds: after.thresholds });
  if (faults.length > 0) return buildRefusal('VALIDATION_FAILED', 'The risk settings are not valid.', { faults });
  const loosened = listLoosenedMembers(before, after);
  const refused = loosened.length > 0 ? refuseLoosening() : undefined;
  if (refused) return refused;
  const { workspace_id } = environment;
  const version = await putRiskSettings(tx, {
    organization_id,
    workspace_id,
    environment_id: environmentId,
    settings: chosen,
    updated_by: actor.id,
    now,
  });
  emit('risk.configuration_updated', {
    ...about.environment(environment),
    ...(loosened.length > 0 ? { severity: 'critical' as const } : {}),
    data: { ...changedMembers(before, after), loosened, reason },
  });
  return { ...after, version };
};
