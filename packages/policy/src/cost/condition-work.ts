import type { OperatorName } from '@svc/contract/policies/language.ts';
import { elementWork, REQUEST, WORK } from '../evaluation/prices.ts';
import { readsTexts } from '../formula/text-choices.ts';
import type { PlacedCondition } from '../language/field-conditions.ts';
import { findField, type PolicyField } from '../language/find-field.ts';
import { compileIncludes } from '../tests/includes-text.ts';
import { below } from '../values/faults.ts';
import { compilePattern } from '../values/linear-pattern.ts';
import { isAnyDepth } from '../values/path.ts';

/**
 * The cost of a condition in addition to its position in the trace. `group` identifies the parameter values that it reads, by their depth
 * and
 * top-level member: those of one group share the capacity of a request. Null for other fields, which have one text at most.
 */
export type ConditionWork = {
  readonly path: string;
  readonly group: { readonly depth: number; readonly below: string | null } | null;
  readonly isStar: boolean;
  /** Maximum number of steps to expand its path. */
  readonly steps: number;
  readonly perElement: number;
  /** Additional cost of an element that is a text. */
  readonly perText: number;
  readonly perCharacter: number;
  /** Characters of one text that are searched. */
  readonly characters: number;
  /** True if the request contains that many characters only once, however many texts are searched. */
  readonly isWhole: boolean;
  /** Conditions with the same key share the work of one. */
  readonly sharedAs: string | null;
};

const SEARCHES = { contains: true, not_contains: true } as const;

/** Minimum number of characters of a list element. */
const ELEMENT_LENGTH = 2;

const getPerCharacter = (field: PolicyField, { condition }: PlacedCondition): number => {
  const { op, value } = condition;
  if (Object.hasOwn(SEARCHES, op)) {
    const listed = WORK.listed / ELEMENT_LENGTH;
    return typeof value === 'string' ? Math.max(listed, compileIncludes(value).perCharacter(REQUEST.characters)) : listed;
  }
  if (op === 'cidr') return WORK.address;
  if (readsTexts(op)) return WORK.character;
  if (op !== 'matches') return 0;
  const pattern = compilePattern(String(value), field.row.type === 'host');
  return 'fault' in pattern ? 0 : pattern.perCharacter;
};

/** Returns the steps per element: one of its own, and those that follow by name. */
const getSteps = ({ segments }: PolicyField): number => {
  const first = segments.findIndex(({ each }) => each);
  return REQUEST.elements * (1 + segments.slice(first).filter(({ each }) => !each).length);
};

const firstKey = ({ segments }: PolicyField): string | null => {
  const [first] = segments;
  return first === undefined || first.each ? null : first.key;
};

/** Values at any depth share the capacity of a request with those at each depth. */
export const EVERY_DEPTH = -1;
const measureDepth = ({ segments }: PolicyField): number => (segments.some(isAnyDepth) ? EVERY_DEPTH : segments.length);

const getCharacters = (op: OperatorName, isOwn: boolean): number => {
  if (op === 'cidr') return WORK.addressLength;
  if (isOwn) return REQUEST.ownText;
  return op === 'matches' ? REQUEST.matched : REQUEST.characters;
};

type EachCosts = Pick<ConditionWork, 'perElement' | 'perText' | 'perCharacter'>;

/**
 * In a single-element group, each also costs the steps to the element, and the trace evaluates the closest element once more: its text, and
 * after a `*` everything in it, which can be the whole request. Pattern results are cached.
 */
const withinElement = (costs: EachCosts, { within, condition }: PlacedCondition): EachCosts => {
  if (within === undefined) return costs;
  const perElement = costs.perElement + within.steps * WORK.step;
  const perCharacter = costs.perCharacter * (Object.hasOwn(SEARCHES, condition.op) || within.hasStar ? 2 : 1);
  if (!within.hasStar) return { perElement, perText: costs.perText, perCharacter };
  return { perElement: 2 * perElement + (1 + within.steps) * WORK.step, perText: 2 * costs.perText, perCharacter };
};

/** Returns null for a condition without cost beyond its position in the trace. Takes a valid condition. */
export const conditionWork = (placed: PlacedCondition): ConditionWork | null => {
  const { condition } = placed;
  const field = findField(condition.field);
  if ('fault' in field) return null;
  const perCharacter = getPerCharacter(field, placed);
  if (perCharacter === 0 && !field.wildcard) return null;
  const isOwn = field.row.family !== 'path';
  const characters = getCharacters(condition.op, isOwn);
  const perElement = elementWork(condition.op);
  return {
    path: field.name,
    group: isOwn ? null : { depth: measureDepth(field), below: firstKey(field) },
    isStar: field.wildcard,
    steps: field.wildcard ? getSteps(field) : 0,
    ...withinElement({ perElement, perText: perCharacter > 0 ? WORK.search : 0, perCharacter }, placed),
    characters,
    isWhole: characters === REQUEST.characters,
    sharedAs: condition.op === 'matches' ? below(field.name, String(condition.value)) : null,
  };
};

/** Returns the most expensive way to fill a request with elements: the maximum number of elements, of texts, or of characters. */
export const mostExpensiveElements = (perElement: number, perText: number, perCharacter: number): number =>
  Math.max(perElement * REQUEST.elements, (perElement + perText) * REQUEST.texts, perElement + perText + perCharacter * REQUEST.characters);

/** Returns the cost of a condition alone, on its worst request. */
export const workAlone = (work: ConditionWork): number => {
  if (!work.isStar) return WORK.search + work.perCharacter * work.characters;
  const { perElement, perText, perCharacter } = work;
  return work.steps * WORK.step + mostExpensiveElements(perElement, perText, perCharacter);
};
