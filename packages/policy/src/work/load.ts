import { type ConditionWork, dearestElements, EVERY_DEPTH } from './condition-work.ts';
import { WORK } from './prices.ts';

type Group = { elements: number; searches: number; characters: number; readonly texts: Map<string, number> };

/** What rules that are consulted together cost, on the request that is worst for them. */
export type Load = {
  fixed: number;
  readonly groups: Map<number, Map<string | null, Group>>;
  /** Steps of the paths below each member, each path once. */
  readonly steps: Map<string | null, number>;
  readonly paths: Set<string>;
  readonly shared: Set<string>;
};

export const newLoad = (): Load => ({ fixed: 0, groups: new Map(), steps: new Map(), paths: new Set(), shared: new Set() });

const groupOf = (load: Load, depth: number, below: string | null): Group => {
  const atDepth = load.groups.get(depth) ?? new Map<string | null, Group>();
  load.groups.set(depth, atDepth);
  const group = atDepth.get(below) ?? { elements: 0, searches: 0, characters: 0, texts: new Map() };
  atDepth.set(below, group);
  return group;
};

const addSteps = (load: Load, { path, group, steps }: ConditionWork): void => {
  if (steps === 0 || load.paths.has(path)) return;
  load.paths.add(path);
  const below = group?.below ?? null;
  load.steps.set(below, (load.steps.get(below) ?? 0) + steps);
};

export const addCondition = (load: Load, work: ConditionWork): void => {
  addSteps(load, work);
  const isKnown = work.sharedAs !== null && load.shared.has(work.sharedAs);
  if (work.sharedAs !== null) load.shared.add(work.sharedAs);
  // The search is done once; the element is looked at again.
  const perCharacter = isKnown ? 0 : work.perCharacter;
  if (work.group === null) {
    load.fixed += WORK.search + perCharacter * work.characters;
    return;
  }
  const group = groupOf(load, work.group.depth, work.group.below);
  if (work.isStar) {
    group.elements += work.perElement;
    group.searches += work.perText;
    group.characters += perCharacter;
  } else group.texts.set(work.path, (group.texts.get(work.path) ?? WORK.search) + perCharacter * work.characters);
};

const greatest = (numbers: Iterable<number>): number => {
  let most = 0;
  for (const one of numbers) most = Math.max(most, one);
  return most;
};

const workOfGroup = (named: Group | undefined, any: Group | undefined): number => {
  const elements = (named?.elements ?? 0) + (any?.elements ?? 0);
  const searches = (named?.searches ?? 0) + (any?.searches ?? 0);
  const characters = (named?.characters ?? 0) + (any?.characters ?? 0);
  return dearestElements(elements, searches, characters) + greatest(named?.texts.values() ?? []);
};

/**
 * No request costs more: whatever lies at one depth below one member of the parameters shares their 64 KiB with everything else, so that of
 * all such groups the dearest counts and not their sum.
 */
export const workOfLoad = (load: Load): number => {
  const steps = greatest(load.steps.values()) + (load.steps.get(null) ?? 0);
  const groups = [...load.groups].flatMap(([depth, atDepth]) =>
    depth === EVERY_DEPTH
      ? []
      : [...atDepth.keys()].map((below) => workOfGroup(atDepth.get(below), below === null ? undefined : atDepth.get(null))),
  );
  const everywhere = workOfGroup(load.groups.get(EVERY_DEPTH)?.get(null), undefined);
  return load.fixed + steps * WORK.step + greatest(groups) + everywhere;
};
