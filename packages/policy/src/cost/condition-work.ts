import type { OperatorName } from '@svc/contract/policies/language.ts';
import { elementWork, REQUEST, WORK } from '../evaluation/prices.ts';
import { readsTexts } from '../formula/text-choices.ts';
import type { PlacedCondition } from '../language/field-conditions.ts';
import { type Field, findField } from '../language/find-field.ts';
import { compileIncludes } from '../tests/includes-text.ts';
import { below } from '../values/faults.ts';
import { compilePattern } from '../values/linear-pattern.ts';
import { isAnyDepth } from '../values/path.ts';

/**
 * What a condition costs beside its place in the trace. `group` says which values of the parameters it looks at, by how deep they lie and
 * below which member: those of one group share what a request can hold. Null for other fields, which hold one text at most.
 */
export type ConditionWork = {
  readonly path: string;
  readonly group: { readonly depth: number; readonly below: string | null } | null;
  readonly isStar: boolean;
  /** Steps that walking its path takes at most. */
  readonly steps: number;
  readonly perElement: number;
  /** What an element costs besides that is a text. */
  readonly perText: number;
  readonly perCharacter: number;
  /** Characters of one text that are looked into. */
  readonly characters: number;
  /** Whether the request holds that many only once, however many texts are looked into. */
  readonly isWhole: boolean;
  /** Where two conditions have the same, the work of one is done for both. */
  readonly sharedAs: string | null;
};

const SEARCHES = { contains: true, not_contains: true } as const;

/** Characters that an element of a list takes at least. */
const ELEMENT_LENGTH = 2;

const perCharacterOf = (field: Field, { condition }: PlacedCondition): number => {
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

/** Steps for each element: one of its own, and those that follow where the path goes on by name. */
const stepsOf = ({ segments }: Field): number => {
  const first = segments.findIndex(({ each }) => each);
  return REQUEST.elements * (1 + segments.slice(first).filter(({ each }) => !each).length);
};

const firstKey = ({ segments }: Field): string | null => {
  const [first] = segments;
  return first === undefined || first.each ? null : first.key;
};

/** Values at any depth share what a request holds with those at each. */
export const EVERY_DEPTH = -1;
const measureDepth = ({ segments }: Field): number => (segments.some(isAnyDepth) ? EVERY_DEPTH : segments.length);

const charactersOf = (op: OperatorName, isOwn: boolean): number => {
  if (op === 'cidr') return WORK.addressLength;
  if (isOwn) return REQUEST.ownText;
  return op === 'matches' ? REQUEST.matched : REQUEST.characters;
};

type EachCosts = Pick<ConditionWork, 'perElement' | 'perText' | 'perCharacter'>;

/**
 * In a group about one element, each costs the steps to it besides, and the trace looks at the closest element once more: at its text, and
 * where a `*` leads on, at all that lies in it, which can be all there is. What a pattern found is kept.
 */
const withinElement = (costs: EachCosts, { within, condition }: PlacedCondition): EachCosts => {
  if (within === undefined) return costs;
  const perElement = costs.perElement + within.steps * WORK.step;
  const perCharacter = costs.perCharacter * (Object.hasOwn(SEARCHES, condition.op) || within.hasStar ? 2 : 1);
  if (!within.hasStar) return { perElement, perText: costs.perText, perCharacter };
  return { perElement: 2 * perElement + (1 + within.steps) * WORK.step, perText: 2 * costs.perText, perCharacter };
};

/** Null for a condition that costs nothing beside its place in the trace. Takes a condition that passed validation. */
export const conditionWork = (placed: PlacedCondition): ConditionWork | null => {
  const { condition } = placed;
  const field = findField(condition.field);
  if ('fault' in field) return null;
  const perCharacter = perCharacterOf(field, placed);
  if (perCharacter === 0 && !field.wildcard) return null;
  const isOwn = field.row.family !== 'path';
  const characters = charactersOf(condition.op, isOwn);
  const perElement = elementWork(condition.op);
  return {
    path: field.name,
    group: isOwn ? null : { depth: measureDepth(field), below: firstKey(field) },
    isStar: field.wildcard,
    steps: field.wildcard ? stepsOf(field) : 0,
    ...withinElement({ perElement, perText: perCharacter > 0 ? WORK.search : 0, perCharacter }, placed),
    characters,
    isWhole: characters === REQUEST.characters,
    sharedAs: condition.op === 'matches' ? below(field.name, String(condition.value)) : null,
  };
};

/** The dearest way to fill a request with elements: as many as there can be, as many texts, or as long ones. */
export const dearestElements = (perElement: number, perText: number, perCharacter: number): number =>
  Math.max(perElement * REQUEST.elements, (perElement + perText) * REQUEST.texts, perElement + perText + perCharacter * REQUEST.characters);

/** What it costs alone, on the request that is worst for it. */
export const workAlone = (work: ConditionWork): number => {
  if (!work.isStar) return WORK.search + work.perCharacter * work.characters;
  const { perElement, perText, perCharacter } = work;
  return work.steps * WORK.step + dearestElements(perElement, perText, perCharacter);
};
