import { REQUEST, WORK } from '../evaluation/prices.ts';
import { type ConditionWork, EVERY_DEPTH, mostExpensiveElements } from './condition-work.ts';

/** Two quotes and a comma. */
const TEXT_QUOTES = 3;

type Group = { elements: number; searches: number; characters: number; readonly texts: Map<string, number> };

/** The cost of rules that are consulted together, on their worst request. */
export type RuleLoad = {
  fixed: number;
  readonly groups: Map<number, Map<string | null, Group>>;
  /** Steps of the paths below each member, each path once. */
  readonly steps: Map<string | null, number>;
  /** The cost of searching the text at each path for patterns: paths in the same text share the request. */
  readonly matched: Map<string, number>;
  readonly paths: Set<string>;
  readonly shared: Set<string>;
};

export const newLoad = (): RuleLoad => ({
  fixed: 0,
  groups: new Map(),
  steps: new Map(),
  matched: new Map(),
  paths: new Set(),
  shared: new Set(),
});

const getGroup = (load: RuleLoad, depth: number, below: string | null): Group => {
  const atDepth = load.groups.get(depth) ?? new Map<string | null, Group>();
  load.groups.set(depth, atDepth);
  const group = atDepth.get(below) ?? { elements: 0, searches: 0, characters: 0, texts: new Map() };
  atDepth.set(below, group);
  return group;
};

const addSteps = (load: RuleLoad, { path, group, steps }: ConditionWork): void => {
  if (steps === 0 || load.paths.has(path)) return;
  load.paths.add(path);
  const below = group?.below ?? null;
  load.steps.set(below, (load.steps.get(below) ?? 0) + steps);
};

/** Returns the maximum cost per character in texts that are searched again: the longest that is not cached. */
const againPerCharacter = (perCharacter: number): number => (WORK.again * perCharacter) / (WORK.again + TEXT_QUOTES * perCharacter);

const addStar = (group: Group, { perElement, perText, perCharacter }: ConditionWork, isKnown: boolean): void => {
  group.elements += perElement;
  group.searches += perText;
  group.characters += isKnown ? againPerCharacter(perCharacter) : perCharacter;
};

const addPlain = (load: RuleLoad, { path, group, perCharacter, characters, isWhole }: ConditionWork, isKnown: boolean): void => {
  const all = perCharacter * characters;
  load.fixed += WORK.search;
  if (isKnown) load.fixed += WORK.again;
  else if (group === null || characters <= WORK.addressLength) load.fixed += all;
  else if (isWhole) {
    const { texts } = getGroup(load, group.depth, group.below);
    texts.set(path, (texts.get(path) ?? 0) + all);
  } else load.matched.set(path, (load.matched.get(path) ?? 0) + all);
};

export const addCondition = (load: RuleLoad, work: ConditionWork): void => {
  addSteps(load, work);
  const isKnown = work.sharedAs !== null && load.shared.has(work.sharedAs);
  if (work.sharedAs !== null) load.shared.add(work.sharedAs);
  if (work.group !== null && work.isStar) addStar(getGroup(load, work.group.depth, work.group.below), work, isKnown);
  else addPlain(load, work, isKnown);
};

const greatest = (numbers: Iterable<number>): number => {
  let most = 0;
  for (const one of numbers) most = Math.max(most, one);
  return most;
};

/** The number of texts of maximum length that a request can contain for pattern searches. */
const MATCHED_MAX = REQUEST.characters / REQUEST.matched;

const dearestTexts = (costs: Iterable<number>): number =>
  [...costs]
    .sort((one, other) => other - one)
    .slice(0, MATCHED_MAX)
    .reduce((sum, cost) => sum + cost, 0);

const workOfGroup = (named: Group | undefined, any: Group | undefined): number => {
  const elements = (named?.elements ?? 0) + (any?.elements ?? 0);
  const searches = (named?.searches ?? 0) + (any?.searches ?? 0);
  const characters = (named?.characters ?? 0) + (any?.characters ?? 0);
  return mostExpensiveElements(elements, searches, characters) + greatest(named?.texts.values() ?? []);
};

/**
 * Returns the upper bound for any request: everything at one depth below one member of the parameters shares their 64 KiB with everything
 * else, so the most expensive of these groups counts and not their sum.
 */
export const workOfLoad = (load: RuleLoad): number => {
  const steps = greatest(load.steps.values()) + (load.steps.get(null) ?? 0);
  const groups = [...load.groups].flatMap(([depth, atDepth]) =>
    depth === EVERY_DEPTH
      ? []
      : [...atDepth.keys()].map((below) => workOfGroup(atDepth.get(below), below === null ? undefined : atDepth.get(null))),
  );
  const everywhere = workOfGroup(load.groups.get(EVERY_DEPTH)?.get(null), undefined);
  return load.fixed + steps * WORK.step + greatest(groups) + everywhere + dearestTexts(load.matched.values());
};
