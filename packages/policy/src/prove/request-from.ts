import type { Literal } from '@svc/solver/clauses/clauses.ts';
import { findField } from '../language/find-field.ts';
import { isAnyDepth, type PathSegment } from '../values/path.ts';
import { PART } from './choice.ts';
import type { EncodedDomain } from './encode-domains.ts';
import type { EncodedRules } from './encode-rules.ts';

export type RequestInput = Readonly<Record<string, unknown>>;
/** A request as the given values of a test, and if amounts are compared in several currencies, its amount in each of them. */
export type FoundRequest = { readonly given: RequestInput; readonly amounts: Readonly<Record<string, number>> | null };
type Draft = Record<string, unknown>;

const isDraft = (value: unknown): value is Draft => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The contents of a path: one value, or the values of the elements that a path with a star leads to. */
type Entry = { readonly segments: readonly PathSegment[]; readonly values: readonly unknown[] };

const getHead = (entries: readonly Entry[]): Map<string, Entry[]> =>
  Map.groupBy(entries, ({ segments }) => JSON.stringify(segments[0] ?? null));

/** Returns the list through whose elements the paths lead; with several stars everything further down is in its first element. */
const listOf = (entries: readonly Entry[]): unknown[] | null => {
  const isDeep = (entry: Entry): boolean => entry.segments.some(({ each }) => each);
  const length = Math.max(...entries.map((entry) => (isDeep(entry) ? 1 : entry.values.length)));
  const elements = Array.from({ length }, (_, index) =>
    getJson(entries.map((entry) => (isDeep(entry) ? entry : { ...entry, values: [entry.values[index % entry.values.length]] }))),
  );
  return elements.includes(null) ? null : elements.map((element) => element?.value ?? null);
};

/** Returns the JSON that all entries can be read from; null if there is none. `value` is undefined for nothing. */
const getJson = (entries: readonly Entry[]): { readonly value: unknown } | null => {
  const here = entries.filter(({ segments }) => segments.length === 0);
  const below = entries.filter(({ segments }) => segments.length > 0);
  const values = here.flatMap((entry) => entry.values);
  const [value] = values;
  if (below.length === 0) return { value };
  if (value !== undefined && !(isDraft(value) && Object.keys(value).length === 0)) return below.some(hasValue) ? null : { value };
  const draft: Draft = {};
  let isEmpty = true;
  for (const group of getHead(below).values()) {
    const [segment] = group[0]?.segments ?? [];
    if (segment === undefined || segment.key === '__proto__') return null;
    const rests = group.map((entry) => ({ ...entry, segments: entry.segments.slice(1) }));
    if (segment.each) return Object.keys(draft).length > 0 || getHead(below).size > 1 || value !== undefined ? null : starred(rests);
    const inner = getJson(rests);
    if (inner === null) return null;
    if (inner.value === undefined) continue;
    draft[segment.key] = inner.value;
    isEmpty = false;
  }
  return { value: isEmpty ? value : here.length > 0 && value === undefined ? DENIED : draft };
};

/** A missing value cannot contain anything. */
const DENIED = Symbol('denied');

const hasValue = ({ values }: Entry): boolean => values.some((value) => value !== undefined);

const starred = (entries: readonly Entry[]): { readonly value: unknown } | null => {
  if (entries.every(({ values }) => values.length === 1 && values[0] === undefined)) return { value: undefined };
  const list = listOf(entries);
  return list === null ? null : { value: list };
};

const isDeep = ({ segments }: Entry): boolean => segments[0] !== undefined && isAnyDepth(segments[0]);

/**
 * Values at any depth may be among those that the other paths lead to, or be in members of their own: the engine decides which of these
 * requests is valid.
 */
const placeDepth = (entries: readonly Entry[]): (readonly Entry[])[] => {
  const others = entries.filter((entry) => !isDeep(entry));
  if (others.length === 0 || others.length === entries.length) return [entries];
  const own = entries
    .filter(isDeep)
    .flatMap(({ values }) =>
      values.flatMap((value, index): Entry[] =>
        value === undefined ? [] : [{ segments: [{ key: `extra_${index + 1}`, index: -1, each: false }], values: [value] }],
      ),
    );
  return own.length === 0 ? [others] : [others, [...others, ...own]];
};

/** Parameters are members by name; the names do not matter to a path through all of them. */
const namedMembers = (values: readonly unknown[]): Draft =>
  Object.fromEntries(values.map((value, index) => [`member_${index + 1}`, value]));

const holdsDenied = (value: unknown): boolean =>
  value === DENIED || (typeof value === 'object' && value !== null && Object.values(value).some(holdsDenied));

type Elements = EncodedRules['elements'];

/** A list with its elements by key, and the presence of each. */
type PlannedList = { readonly segments: readonly PathSegment[]; readonly keys: readonly (readonly [key: string, isThere: boolean])[] };

const findLists = (elements: Elements, holds: (literal: Literal) => boolean): PlannedList[] => {
  const lists = new Map<string, PlannedList & { keys: (readonly [string, boolean])[] }>();
  for (const [name, literal] of elements) {
    const field = findField(name);
    if ('fault' in field) continue;
    const segments = field.segments.slice(0, -1);
    const key = JSON.stringify(segments);
    const list = lists.get(key) ?? { segments, keys: [] };
    list.keys.push([field.segments.at(-1)?.key ?? '', holds(literal)]);
    lists.set(key, list);
  }
  // Inner lists first, while their enclosing elements have their keys.
  return [...lists.values()].toSorted((one, other) => other.segments.length - one.segments.length);
};

const INDEX = /^(0|[1-9][0-9]*)$/;

/** Adds the elements of a list whose values are not read, and writes members by number as a list. */
const finishList = (root: unknown, { segments, keys }: PlannedList, asList: boolean): unknown => {
  const finish = (holder: unknown): unknown => {
    const present = keys.filter(([, isThere]) => isThere);
    if (holder === undefined) return present.length === 0 ? [] : undefined;
    if (!isDraft(holder)) return holder;
    const members: Draft = { ...holder };
    for (const [key] of present) members[key] ??= null;
    return asList && Object.keys(members).every((key) => INDEX.test(key)) ? Object.values(members) : members;
  };
  const descend = (holder: unknown, [first, ...rest]: readonly PathSegment[]): unknown => {
    if (first === undefined) return finish(holder);
    if (holder !== undefined && !isDraft(holder)) return holder;
    const inner = descend(holder?.[first.key], rest);
    return inner === undefined ? holder : { ...holder, [first.key]: inner };
  };
  return descend(root, segments);
};

const getMember = (value: unknown): unknown => (Array.isArray(value) ? namedMembers(value) : value);

/**
 * Returns the requests that a found combination of choices may stand for, as given values of a test; none if no value is known for a
 * choice. The
 * caller lets the engine decide which of them is valid.
 */
export const buildRequests = (
  encoded: readonly EncodedDomain[],
  holds: (literal: Literal) => boolean,
  elements: Elements = new Map(),
): readonly FoundRequest[] => {
  const given: Draft = {};
  const amounts: Record<string, number> = {};
  const entries: Entry[] = [];
  for (const { domain, chosen, missing } of encoded) {
    const taken = domain.choices.filter((_, index) => holds(chosen[index] ?? 0));
    const [name = ''] = domain.fields;
    if (domain.kind === 'list' && !(missing !== null && holds(missing)))
      given[name] = taken.flatMap(({ mark }) => (mark === PART ? [] : [mark]));
    if (domain.kind === 'list') continue;
    if (taken.some(({ values }) => values === null)) return [];
    const field = findField(name);
    if (!('fault' in field) && field.row.family === 'path') {
      entries.push({ segments: field.segments, values: taken.map(({ values }) => values?.[name]) });
      continue;
    }
    const amount = taken[0]?.values?.amount;
    if (domain.currency !== null && typeof amount === 'number') amounts[domain.currency] = amount;
    for (const [key, value] of Object.entries(taken[0]?.values ?? {})) if (value !== undefined) given[key] = value;
  }
  const lists = findLists(elements, holds);
  return placeDepth(entries).flatMap((placed): FoundRequest[] => {
    const parameters = getJson(placed);
    if (parameters === null || holdsDenied(parameters.value)) return [];
    return (lists.length === 0 ? [true] : [true, false]).map((asList) => {
      const value = getMember(lists.reduce((root, list) => finishList(root, list, asList), getMember(parameters.value)));
      const hasParameters = isDraft(value) && Object.keys(value).length > 0;
      return { given: hasParameters ? { ...given, parameters: value } : given, amounts: Object.keys(amounts).length > 0 ? amounts : null };
    });
  });
};
