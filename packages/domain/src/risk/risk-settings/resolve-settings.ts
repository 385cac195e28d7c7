import type { ChosenRiskSettings, RiskSettings } from '@svc/contract/risk/risk-settings.ts';
import type { EnvironmentType } from '@svc/contract/tables/vocabulary.ts';
import { compileNetworks } from '@svc/policy/tests/cidr.ts';
import { type AllowlistEntry, parseAllowlistEntry } from '../../tools/destinations/allowlist.ts';

type Members = Omit<RiskSettings, 'environment_id' | 'version' | 'updated_at' | 'updated_by'>;

const THRESHOLDS: Readonly<Record<EnvironmentType, Members['thresholds']>> = {
  DEVELOPMENT: { elevated: 60, high: 90 },
  STAGING: { elevated: 50, high: 80 },
  PRODUCTION: { elevated: 40, high: 70 },
};

/** In PRODUCTION a runtime cannot open a clean context unless a person chose that. */
export const defaultContextScope = (type: EnvironmentType): Members['context_scope'] => (type === 'PRODUCTION' ? 'AGENT' : 'CONTEXT');

/** Returns the settings of an environment: the configured ones, with defaults for the rest. */
export const resolveSettings = (type: EnvironmentType, chosen: ChosenRiskSettings): Members => ({
  thresholds: chosen.thresholds ?? THRESHOLDS[type],
  signals: chosen.signals ?? {},
  hours: chosen.hours ?? null,
  known_networks: chosen.known_networks ?? [],
  internal_destinations: chosen.internal_destinations ?? [],
  processors: chosen.processors ?? [],
  context_scope: chosen.context_scope ?? defaultContextScope(type),
  context_hours: chosen.context_hours ?? 24,
  unlabelled_tools: chosen.unlabelled_tools ?? 'NONE',
});

/** Settings prepared for decisions. */
export type RiskRules = Omit<Members, 'internal_destinations' | 'processors' | 'known_networks'> & {
  readonly isNamedNetwork: (address: string) => boolean;
  readonly internal: readonly AllowlistEntry[];
  readonly processors: readonly { readonly entry: AllowlistEntry; readonly labels: readonly string[] }[];
};

const getEntry = (text: string): AllowlistEntry => {
  const entry = parseAllowlistEntry(text);
  if ('fault' in entry) throw new Error(`stored risk settings hold a destination that cannot be read: ${text}`);
  return entry;
};

/** Prepares settings for decisions. Throws at what the service does not store. */
export const prepareSettings = (type: EnvironmentType, chosen: ChosenRiskSettings): RiskRules => {
  const { internal_destinations, processors, known_networks, ...rest } = resolveSettings(type, chosen);
  return {
    ...rest,
    isNamedNetwork: compileNetworks(known_networks),
    internal: internal_destinations.map(getEntry),
    processors: processors.map(({ host, labels }) => ({ entry: getEntry(host), labels })),
  };
};
