import type { FieldCondition, PolicyCondition } from '@svc/contract/policies/language.ts';
import { fieldConditions } from '../language/field-conditions.ts';

/**
 * The elements that stand for all elements of a list: for each list that an `any_element` group reads, the keys under which its elements
 * are
 * expanded.
 */
export type ElementPlan = { readonly keysAt: (list: readonly string[]) => readonly string[] | undefined };

export const NO_ELEMENTS: ElementPlan = { keysAt: () => undefined };

/** Beyond this number elements are not expanded; the group then stays open. */
const KEYS_MAX = 10;
const STARS_MAX = 2;

type Quantified = { readonly parts: readonly string[]; readonly from: number; readonly text: string };

const listParts = (name: string): string[] => name.split('.');
const isStar = (part: string | undefined): boolean => part === '*';

const visitGroups = (condition: PolicyCondition, visit: (of: string, meets: PolicyCondition) => void): void => {
  if ('all' in condition) for (const part of condition.all) visitGroups(part, visit);
  else if ('any' in condition) for (const part of condition.any) visitGroups(part, visit);
  else if ('not' in condition) visitGroups(condition.not, visit);
  else if ('any_element' in condition) visit(condition.any_element.of, condition.any_element.meets);
};

/** Returns the lists on the way of a path, from its part `from` on. */
const listsOn = ({ parts, from }: Quantified): string[] =>
  parts.flatMap((part, index) => (index >= from && isStar(part) ? [parts.slice(0, index).join('.')] : []));

/** Returns distinct groups, and conditions with a `*` of their own. */
const readQuantified = (conditions: readonly PolicyCondition[]): { readonly groups: Quantified[]; readonly others: Quantified[] } => {
  const groups = new Map<string, Quantified>();
  const others = new Map<string, Quantified>();
  const addOther = (condition: FieldCondition, from: number): void => {
    const text = JSON.stringify(condition);
    others.set(`${from} ${text}`, { parts: listParts(condition.field), from, text });
  };
  for (const condition of conditions) {
    for (const { condition: one, within } of fieldConditions(condition)) if (within === undefined) addOther(one, 0);
    visitGroups(condition, (of, meets) => {
      const parts = listParts(of);
      const text = JSON.stringify([of, meets]);
      groups.set(text, { parts, from: 0, text });
      for (const { condition: one } of fieldConditions(meets)) addOther(one, parts.length);
    });
  }
  return { groups: [...groups.values()], others: [...others.values()] };
};

const fitsPattern = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.every((part, index) => part === parts[index] || (isStar(part) && parts[index] !== undefined));

/** Returns the keys that conditions name below a list, which are elements too. */
const namedKeys = (list: readonly string[], fields: readonly (readonly string[])[]): string[] => [
  ...new Set(
    fields.flatMap((parts) => {
      const key = parts[list.length];
      return key !== undefined && !key.startsWith('*') && fitsPattern(list, parts) ? [key] : [];
    }),
  ),
];

const freshKeys = (count: number, named: readonly string[]): string[] => {
  const keys: string[] = [];
  for (let index = 0; keys.length < count; index++) if (!named.includes(String(index))) keys.push(String(index));
  return keys;
};

/**
 * Plans the elements that decide every condition on the elements of a list: one for each condition on them, since the outcome of `any` is
 * that
 * of one element and so is that of `all`, and one more for a pattern, for a text that is too long to search. Any longer list has the same
 * outcomes as a list of these.
 */
export const planElements = (conditions: readonly PolicyCondition[]): ElementPlan => {
  const { groups, others } = readQuantified(conditions);
  if (groups.length === 0) return NO_ELEMENTS;
  const fields = [...groups, ...others].map(({ parts }) => parts);
  const lists = new Map<string, number>(groups.flatMap(listsOn).map((list) => [list, 0]));
  for (const one of [...groups, ...others]) {
    const weight = one.text.includes('"op":"matches"') ? 2 : 1;
    for (const list of listsOn(one)) if (lists.has(list)) lists.set(list, (lists.get(list) ?? 0) + weight);
  }
  const planned = [...lists].flatMap(([list, count]) => {
    const parts = listParts(list);
    const named = namedKeys(parts, fields);
    const isTooMuch = named.length + count > KEYS_MAX || parts.filter(isStar).length >= STARS_MAX;
    return isTooMuch ? [] : [{ parts, keys: [...named, ...freshKeys(count, named)] }];
  });
  return {
    keysAt: (list) => planned.find(({ parts }) => parts.length === list.length && fitsPattern(parts, list))?.keys,
  };
};

/** Returns the list that the first `*` of a path traverses; undefined if it has none. */
export const firstList = (name: string): string[] | undefined => {
  const parts = listParts(name);
  const star = parts.findIndex(isStar);
  return star === -1 ? undefined : parts.slice(0, star);
};

const renamed = (name: string, list: readonly string[], key: string): string => {
  const parts = listParts(name);
  return isStar(parts[list.length]) && list.every((part, index) => part === parts[index])
    ? [...list, key, ...parts.slice(list.length + 1)].join('.')
    : name;
};

/** Returns the condition on one field, applied to one element of a list. */
const onElement = (condition: FieldCondition, list: readonly string[], key: string): FieldCondition => {
  const { quantifier, ...rest } = condition;
  const field = renamed(condition.field, list, key);
  return field.includes('*') && quantifier !== undefined ? { ...rest, field, quantifier } : { ...rest, field };
};

/** Returns the condition of a group, applied to one element of a list. */
export const groupOnElement = (condition: PolicyCondition, list: readonly string[], key: string): PolicyCondition => {
  const onAll = (parts: readonly PolicyCondition[]): PolicyCondition[] => parts.map((part) => groupOnElement(part, list, key));
  if ('all' in condition) return { all: onAll(condition.all) };
  if ('any' in condition) return { any: onAll(condition.any) };
  if ('not' in condition) return { not: groupOnElement(condition.not, list, key) };
  if ('any_element' in condition) {
    const { of, meets } = condition.any_element;
    const inner = groupOnElement(meets, list, key);
    const name = renamed(of, list, key);
    return name.includes('*') ? { any_element: { of: name, meets: inner } } : inner;
  }
  return onElement(condition, list, key);
};
