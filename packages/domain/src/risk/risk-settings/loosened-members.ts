import type { RiskSettings } from '@svc/contract/risk/risk-settings.ts';
import { SIGNAL_NAMES, SIGNAL_TABLE } from '@svc/contract/risk/signal-table.ts';

type Members = Omit<RiskSettings, 'environment_id' | 'version' | 'updated_at' | 'updated_by'>;
type Hours = Members['hours'];

const has = <Value>(list: readonly Value[], value: Value): boolean => list.includes(value);

const widens = (before: readonly string[], after: readonly string[]): boolean => after.some((one) => !has(before, one));

/** Hours loosen when acting at some time stops to be outside. No hours at all is a baseline that was learned, so it counts as looser. */
const loosensHours = (before: Hours, after: Hours): boolean => {
  if (before === null) return false;
  if (after === null) return true;
  return after.from < before.from || after.to > before.to || (before.weekdays_only && !after.weekdays_only);
};

const getPoints = ({ signals }: Members, name: (typeof SIGNAL_NAMES)[number]): number => signals[name] ?? SIGNAL_TABLE[name].points;

const processorKeys = ({ processors }: Members): string[] =>
  processors.flatMap(({ host, labels }) => labels.map((label) => `${host} ${label}`));

/** Returns the members by which a change makes fewer requests risky or lets more data leave. */
export const listLoosenedMembers = (before: Members, after: Members): (keyof Members)[] => {
  const loosened: Readonly<Record<keyof Members, boolean>> = {
    thresholds: after.thresholds.elevated > before.thresholds.elevated || after.thresholds.high > before.thresholds.high,
    signals: SIGNAL_NAMES.some((name) => getPoints(after, name) < getPoints(before, name)),
    hours: loosensHours(before.hours, after.hours),
    known_networks: widens(before.known_networks, after.known_networks),
    internal_destinations: widens(before.internal_destinations, after.internal_destinations),
    processors: widens(processorKeys(before), processorKeys(after)),
    context_scope: before.context_scope === 'AGENT' && after.context_scope === 'CONTEXT',
    context_hours: after.context_hours < before.context_hours,
    unlabelled_tools: before.unlabelled_tools !== 'NONE' && after.unlabelled_tools === 'NONE',
  };
  return (Object.keys(loosened) as (keyof Members)[]).filter((name) => loosened[name]);
};
