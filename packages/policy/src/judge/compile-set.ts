import { POLICY_SCOPES } from '@svc/contract/tables/vocabulary.ts';
import type { CompiledVersion } from './compile-version.ts';
import { type IndexedRule, indexInSteps, type RuleIndex } from './rule-index.ts';

/**
 * All bound rules that a request can match. `general` contains the rules for all agents, `agents` those bound to one agent by its id.
 * Immutable; one set serves a whole environment.
 */
export type PolicySet = {
  readonly general: RuleIndex;
  readonly agents: ReadonlyMap<string, RuleIndex>;
  /** Names of the rows of all fields that a rule reads: values that are expensive to compute are only needed for these. */
  readonly reads: ReadonlySet<string>;
  /** Every currency in which a rule compares amounts or counts them. */
  readonly amount_currencies: ReadonlySet<string>;
  /** Every parameter path that any rule masks, for requests that are refused before rules are evaluated. */
  readonly masked_parameters: readonly string[];
};

const readsOf = (versions: readonly CompiledVersion[]): ReadonlySet<string> =>
  new Set(versions.flatMap((version) => version.rules.flatMap((rule) => rule.fields)));

const getCurrencies = (versions: readonly CompiledVersion[]): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const { rules } of versions)
    for (const { currency, demand } of rules) {
      if (currency !== null) found.add(currency);
      if (demand?.limit?.currency !== undefined) found.add(demand.limit.currency);
    }
  return found;
};

/** If rules of all tools together mask more than this, requests that are refused before rules are evaluated show no parameter at all. */
const MASKS_MAX = 5_000;
const ALL = ['*'];

const listMasks = (versions: readonly CompiledVersion[]): readonly string[] => {
  const masks = new Set(versions.flatMap((version) => version.rules.flatMap((rule) => rule.demand?.mask?.parameters ?? [])));
  return masks.size > MASKS_MAX ? ALL : [...masks];
};

const narrowness = (version: CompiledVersion): number => POLICY_SCOPES.indexOf(version.source.binding.scope);

const byText = (left: string, right: string): number => (left === right ? 0 : left < right ? -1 : 1);

/**
 * Narrowest binding first; then by policy, version and position in the version, so that the order never depends on how versions were
 * loaded.
 */
const inOrder = (left: CompiledVersion, right: CompiledVersion): number =>
  narrowness(right) - narrowness(left) ||
  byText(left.source.policy_id, right.source.policy_id) ||
  left.source.version_number - right.source.version_number ||
  byText(left.source.binding.id, right.source.binding.id);

const placeRules = (versions: readonly CompiledVersion[]): Map<CompiledVersion, IndexedRule[]> => {
  const placed = new Map<CompiledVersion, IndexedRule[]>();
  let place = 0;
  for (const version of versions.toSorted(inOrder)) {
    placed.set(
      version,
      version.rules.map((rule) => ({ rule, place: place++ })),
    );
  }
  return placed;
};

/** Does all steps at once, which can take as long as half a second: for callers that delay no one else. */
const finish = <Value>(steps: Generator<void, Value>): Value => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

/**
 * Joins compiled versions into one set, in steps of a few milliseconds. Versions bound to an agent apply to that agent only;
 * the caller passes those bound to the organization, workspace and environment of the requests it will judge, and no others.
 */
export function* compileSetInSteps(versions: readonly CompiledVersion[]): Generator<void, PolicySet> {
  const general: IndexedRule[] = [];
  const agents = new Map<string, IndexedRule[]>();
  for (const [version, rules] of placeRules(versions)) {
    const { scope, id } = version.source.binding;
    if (scope !== 'AGENT') general.push(...rules);
    else agents.set(id, [...(agents.get(id) ?? []), ...rules]);
  }
  yield;
  const indexed = new Map<string, RuleIndex>();
  for (const [id, rules] of agents) {
    indexed.set(id, yield* indexInSteps(rules));
    yield;
  }
  const index = yield* indexInSteps(general);
  const reads = readsOf(versions);
  yield;
  return { general: index, agents: indexed, reads, amount_currencies: getCurrencies(versions), masked_parameters: listMasks(versions) };
}

/** The same in one step. */
export const compileSet = (versions: readonly CompiledVersion[]): PolicySet => finish(compileSetInSteps(versions));

/** Returns a set of one version for its own tests: its binding does not matter, so that a test has the same result wherever it is bound. */
export const compileUnbound = (version: CompiledVersion): PolicySet => ({
  general: finish(indexInSteps(version.rules.map((rule, place) => ({ rule, place })))),
  agents: new Map(),
  reads: readsOf([version]),
  amount_currencies: getCurrencies([version]),
  masked_parameters: listMasks([version]),
});
