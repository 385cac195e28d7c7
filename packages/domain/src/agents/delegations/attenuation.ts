import { destinationsWithin } from '../../tools/destinations/destinations-within.ts';
import { findCeilingFaults, type RatesAtTime } from './ceiling-within.ts';
import { depthLeft } from './chain-standing.ts';
import type { AuthorityFault, Chain, DelegationBounds, DelegationLink, Scope } from './delegation.ts';

const subset = (inner: readonly string[], outer: readonly string[]): boolean => {
  const around = new Set(outer);
  return inner.every((one) => around.has(one));
};

const listFault = (
  field: keyof Scope,
  outer: Scope,
  asked: Scope,
  isWithin: (inner: readonly string[], outer: readonly string[]) => boolean,
): AuthorityFault[] => {
  const [parent, own] = [outer[field], asked[field]];
  if (parent === null || (own !== null && isWithin(own, parent))) return [];
  return [{ field: `scope.${field}`, parent, asked: own }];
};

const scopeFaults = (outer: Scope, asked: Scope): readonly AuthorityFault[] => [
  ...listFault('capabilities', outer, asked, subset),
  ...listFault('tools', outer, asked, subset),
  ...listFault('environments', outer, asked, subset),
  ...listFault('destinations', outer, asked, destinationsWithin),
];

const expiryFault = (parent: string | null, asked: string | null): AuthorityFault[] =>
  parent === null || (asked !== null && Date.parse(asked) <= Date.parse(parent)) ? [] : [{ field: 'expires_at', parent, asked }];

const boundsFaults = (outer: DelegationBounds, asked: DelegationBounds, exchange: RatesAtTime): readonly AuthorityFault[] => [
  ...scopeFaults(outer.scope, asked.scope),
  ...findCeilingFaults(outer.ceiling, asked.ceiling, exchange),
  ...expiryFault(outer.expires_at, asked.expires_at),
];

const depthFaults = (chain: Chain, asked: DelegationBounds): AuthorityFault[] => {
  const left = depthLeft(chain);
  const last = chain[chain.length - 1];
  if (last !== undefined && !last.can_redelegate) return [{ field: 'can_redelegate', parent: false, asked: asked.can_redelegate }];
  // The new link itself uses one.
  return asked.max_depth < left ? [] : [{ field: 'max_depth', parent: left, asked: asked.max_depth }];
};

const firstOfEach = (faults: readonly AuthorityFault[]): readonly AuthorityFault[] =>
  faults.filter((fault, index) => faults.findIndex(({ field }) => field === fault.field) === index);

/** A list of capabilities names none that the agent above does not hold itself; no list means no more than that one holds. */
const heldFault = ({ delegate }: DelegationLink, { scope }: DelegationBounds): AuthorityFault[] =>
  scope.capabilities === null || subset(scope.capabilities, delegate.capabilities)
    ? []
    : [{ field: 'scope.capabilities', parent: delegate.capabilities, asked: scope.capabilities }];

/**
 * Returns where a new link below this chain would exceed the chain: every link above bounds it, and so do the capabilities of each
 * delegate above. If several bounds apply to a field, the nearest is reported. Empty if it is contained.
 */
export const findAttenuationFaults = (chain: Chain, asked: DelegationBounds, exchange: RatesAtTime): readonly AuthorityFault[] => {
  const upwards = [...chain].reverse();
  return firstOfEach([
    ...upwards.flatMap((link) => boundsFaults(link, asked, exchange)),
    ...depthFaults(chain, asked),
    ...upwards.flatMap((link) => heldFault(link, asked)),
  ]);
};

/** Usage of a ceiling is counted in its currency, so a change of the currency would lose the count. */
const currencyFault = ({ ceiling: current }: DelegationBounds, { ceiling: asked }: DelegationBounds): AuthorityFault[] =>
  current.currency === null || asked.currency === null || asked.currency === current.currency
    ? []
    : [{ field: 'ceiling.currency', parent: current.currency, asked: asked.currency }];

/** Returns where a change would extend a delegation. */
export const findReductionFaults = (
  current: DelegationBounds,
  asked: DelegationBounds,
  exchange: RatesAtTime,
): readonly AuthorityFault[] => [
  ...boundsFaults(current, asked, exchange),
  ...currencyFault(current, asked),
  ...(asked.can_redelegate && !current.can_redelegate ? [{ field: 'can_redelegate', parent: false, asked: true }] : []),
  ...(asked.max_depth > current.max_depth ? [{ field: 'max_depth', parent: current.max_depth, asked: asked.max_depth }] : []),
];
