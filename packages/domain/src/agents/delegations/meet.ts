import { parseAllowlistEntry } from '../../tools/destinations/allowlist.ts';
import { coversEntry, formatEntryText, readEntries } from '../../tools/destinations/destinations-within.ts';
import { findCeilingFaults, type RatesAtTime } from './ceiling-within.ts';
import type { AuthorityFault, Ceiling, DelegationBounds, Scope } from './delegation.ts';

type List = readonly string[] | null;

/** Returns what both lists allow; null allows everything. */
export const meetLists = (one: List, other: List): List => {
  if (one === null || other === null) return one ?? other;
  const around = new Set(other);
  return [...new Set(one)].filter((text) => around.has(text));
};

/** Like `meetLists`, for entries that may contain each other: of two that overlap the narrower is what both allow. */
export const meetDestinations = (one: List, other: List): List => {
  if (one === null || other === null) return one ?? other;
  const [left, right] = [readEntries(one), readEntries(other)];
  const kept = [
    ...left.filter((entry) => right.some((outer) => coversEntry(outer, entry))),
    ...right.filter((entry) => left.some((outer) => coversEntry(outer, entry))),
  ];
  return [...new Set(kept.map(formatEntryText))];
};

/** Returns the canonical form of an entry, so that two lists can be compared by eye. */
export const spellDestination = (text: string): string => {
  const entry = parseAllowlistEntry(text);
  return 'fault' in entry ? text : formatEntryText(entry);
};

const lower = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** Returns the ceiling that both allow; null if neither contains the other and no single one expresses it. */
export const meetCeilings = (one: Ceiling, other: Ceiling, exchange: RatesAtTime): Ceiling | null => {
  // A ceiling keeps its currency, in which its uses are counted.
  if (one.currency !== null && other.currency !== null && one.currency !== other.currency) return null;
  if (findCeilingFaults(one, other, exchange).length === 0) return other;
  if (findCeilingFaults(other, one, exchange).length === 0) return one;
  if (one.window_seconds !== other.window_seconds) return null;
  return {
    max_amount: lower(one.max_amount, other.max_amount),
    currency: one.currency ?? other.currency,
    max_calls: lower(one.max_calls, other.max_calls),
    window_seconds: one.window_seconds,
  };
};

export const meetScopes = (one: Scope, other: Scope): Scope => ({
  capabilities: meetLists(one.capabilities, other.capabilities),
  tools: meetLists(one.tools, other.tools),
  environments: meetLists(one.environments, other.environments),
  destinations: meetDestinations(one.destinations, other.destinations),
});

export const earlier = (one: string | null, other: string | null): string | null => {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one) <= Date.parse(other) ? one : other;
};

/** All that both allow and nothing else. Two ceilings of which neither contains the other have no meet in one ceiling; they are named. */
export const meet = (
  one: DelegationBounds,
  other: DelegationBounds,
  exchange: RatesAtTime,
): { readonly ok: DelegationBounds } | { readonly faults: readonly AuthorityFault[] } => {
  const ceiling = meetCeilings(one.ceiling, other.ceiling, exchange);
  if (ceiling === null) return { faults: [{ field: 'ceiling', parent: one.ceiling, asked: other.ceiling }] };
  return {
    ok: {
      scope: meetScopes(one.scope, other.scope),
      ceiling,
      expires_at: earlier(one.expires_at, other.expires_at),
      can_redelegate: one.can_redelegate && other.can_redelegate,
      max_depth: Math.min(one.max_depth, other.max_depth),
    },
  };
};
