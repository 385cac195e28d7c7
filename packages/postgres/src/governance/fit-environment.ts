import type { ChosenRiskSettings } from '@svc/contract/risk/risk-settings.ts';
import { ENVIRONMENT_TYPES, MODES, SEPARATIONS } from '@svc/contract/tables/vocabulary.ts';
import { prepareSettings } from '@svc/domain/risk/risk-settings/resolve-settings.ts';
import { readTimeZone } from '@svc/domain/tenancy/organization/time-zone.ts';
import type { EnvironmentSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { isRequirement } from './is-requirement.ts';
import { type Fits, isCurrency, isFlag, isText, isTime, isWhole, matchWords, mustFit, orNull, UnfitRow } from './unfit-row.ts';

export type EnvironmentRow = Omit<EnvironmentSnapshot, 'tools' | 'policies' | 'rates' | 'risk' | 'blocked' | 'disabled_providers'> & {
  readonly is_paused: boolean;
  readonly risk_settings: ChosenRiskSettings | null;
  readonly disabled_provider_ids: readonly string[];
};

/** Settings that cannot be prepared were not written by the service, and nothing is decided on them. */
const fitRisk = ({ environment_id, type, risk_settings }: EnvironmentRow): EnvironmentSnapshot['risk'] => {
  try {
    return prepareSettings(type, risk_settings ?? {});
  } catch {
    throw new UnfitRow('risk_settings', environment_id, 'settings');
  }
};

const isTimeZone: Fits = (value) => typeof value === 'string' && readTimeZone(value) !== undefined;

/** Returns the environment for decisions; throws if the service did not write it, or its organization, that way. */
export const fitEnvironment = (row: EnvironmentRow): Omit<EnvironmentSnapshot, 'tools' | 'policies' | 'rates' | 'blocked'> => {
  const { is_paused, risk_settings: _, disabled_provider_ids, ...head } = row;
  mustFit('environments', head.environment_id, head, {
    workspace_id: isText,
    type: matchWords(ENVIRONMENT_TYPES),
    mode: matchWords(MODES),
    requires_delegation: isFlag,
    separation: matchWords(SEPARATIONS),
    is_archived: isFlag,
    requires_trust: orNull(isRequirement),
    epoch: isWhole(1),
  });
  if (is_paused !== (head.paused_reason !== null)) throw new UnfitRow('environments', head.environment_id, 'paused_reason');
  mustFit('organizations', head.organization_id, head, { base_currency: isCurrency, time_zone: isTimeZone });
  return { ...head, disabled_providers: new Set(disabled_provider_ids), risk: fitRisk(row) };
};

type RateRow = { readonly id: string; readonly base_currency: string; readonly quote_currency: string; readonly source: string } & {
  readonly effective_at: string;
};

/** Throws for an exchange rate that the service did not write that way; the rate itself is parsed later. */
export const fitRates = <Rate extends RateRow>(rates: readonly Rate[]): readonly Rate[] => {
  for (const rate of rates) {
    mustFit<RateRow>('exchange_rates', rate.id, rate, {
      base_currency: isCurrency,
      quote_currency: isCurrency,
      source: matchWords(['MANUAL', 'AUTOMATIC']),
      effective_at: isTime,
    });
  }
  return rates;
};
