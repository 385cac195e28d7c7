import type { Literal } from '@svc/solver/clauses/clauses.ts';
import { findField } from '../language/find-field.ts';
import { ANY_DEPTH, type Segment } from '../values/path.ts';
import type { EncodedDomain } from './encode-domains.ts';

export type Given = Readonly<Record<string, unknown>>;
/** A request as a test would give it, and where amounts are compared in several currencies, its own in each of them. */
export type FoundRequest = { readonly given: Given; readonly amounts: Readonly<Record<string, number>> | null };
type Draft = Record<string, unknown>;

const isDraft = (value: unknown): value is Draft => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What lies at a path: one value, or the values of the elements that a path with a star leads to. */
type Entry = { readonly segments: readonly Segment[]; readonly values: readonly unknown[] };

const headOf = (entries: readonly Entry[]): Map<string, Entry[]> =>
  Map.groupBy(entries, ({ segments }) => JSON.stringify(segments[0] ?? null));

/** The list through whose elements the paths lead; with several stars all that is further down lies in its first element. */
const listOf = (entries: readonly Entry[]): unknown[] | null => {
  const isDeep = (entry: Entry): boolean => entry.segments.some(({ each }) => each);
  const length = Math.max(...entries.map((entry) => (isDeep(entry) ? 1 : entry.values.length)));
  const elements = Array.from({ length }, (_, index) =>
    jsonOf(entries.map((entry) => (isDeep(entry) ? entry : { ...entry, values: [entry.values[index % entry.values.length]] }))),
  );
  return elements.includes(null) ? null : elements.map((element) => element?.value ?? null);
};

/** The JSON that all entries can be read from; null when there is none. `value` is undefined for nothing. */
const jsonOf = (entries: readonly Entry[]): { readonly value: unknown } | null => {
  const here = entries.filter(({ segments }) => segments.length === 0);
  const below = entries.filter(({ segments }) => segments.length > 0);
  const values = here.flatMap((entry) => entry.values);
  const [value] = values;
  if (below.length === 0) return { value };
  if (value !== undefined && !(isDraft(value) && Object.keys(value).length === 0)) return below.some(hasValue) ? null : { value };
  const draft: Draft = {};
  let isEmpty = true;
  for (const group of headOf(below).values()) {
    const [segment] = group[0]?.segments ?? [];
    if (segment === undefined || segment.key === '__proto__') return null;
    const rests = group.map((entry) => ({ ...entry, segments: entry.segments.slice(1) }));
    if (segment.each) return Object.keys(draft).length > 0 || headOf(below).size > 1 || value !== undefined ? null : starred(rests);
    const inner = jsonOf(rests);
    if (inner === null) return null;
    if (inner.value === undefined) continue;
    draft[segment.key] = inner.value;
    isEmpty = false;
  }
  return { value: isEmpty ? value : here.length > 0 && value === undefined ? DENIED : draft };
};

/** What shall be missing cannot hold anything. */
const DENIED = Symbol('denied');

const hasValue = ({ values }: Entry): boolean => values.some((value) => value !== undefined);

const starred = (entries: readonly Entry[]): { readonly value: unknown } | null => {
  if (entries.every(({ values }) => values.length === 1 && values[0] === undefined)) return { value: undefined };
  const list = listOf(entries);
  return list === null ? null : { value: list };
};

/** What lies at whatever depth is found in what the other paths lead to, if at all: the engine is asked whether it is. */
const besideDepth = (entries: readonly Entry[]): readonly Entry[] => {
  const others = entries.filter(({ segments }) => segments[0]?.key !== ANY_DEPTH || segments[0].each !== true);
  return others.length > 0 ? others : entries;
};

/** Parameters are members by name; which names does not matter to a path through all of them. */
const namedMembers = (values: readonly unknown[]): Draft =>
  Object.fromEntries(values.map((value, index) => [`member_${index + 1}`, value]));

const holdsDenied = (value: unknown): boolean =>
  value === DENIED || (typeof value === 'object' && value !== null && Object.values(value).some(holdsDenied));

/** The request that a found combination of choices stands for, as a test would give it; null when none is known. */
export const requestFrom = (encoded: readonly EncodedDomain[], holds: (literal: Literal) => boolean): FoundRequest | null => {
  const given: Draft = {};
  const amounts: Record<string, number> = {};
  const entries: Entry[] = [];
  for (const { domain, chosen, missing } of encoded) {
    const taken = domain.choices.filter((_, index) => holds(chosen[index] ?? 0));
    const [name = ''] = domain.fields;
    if (domain.kind === 'list' && !(missing !== null && holds(missing))) given[name] = taken.map(({ mark }) => mark);
    if (domain.kind === 'list') continue;
    if (taken.some(({ values }) => values === null)) return null;
    const field = findField(name);
    if (!('fault' in field) && field.row.family === 'path') {
      entries.push({ segments: field.segments, values: taken.map(({ values }) => values?.[name]) });
      continue;
    }
    const amount = taken[0]?.values?.amount;
    if (domain.currency !== null && typeof amount === 'number') amounts[domain.currency] = amount;
    for (const [key, value] of Object.entries(taken[0]?.values ?? {})) if (value !== undefined) given[key] = value;
  }
  const parameters = jsonOf(besideDepth(entries));
  if (parameters === null || holdsDenied(parameters.value)) return null;
  const value = Array.isArray(parameters.value) ? namedMembers(parameters.value) : parameters.value;
  if (isDraft(value) && Object.keys(value).length > 0) given.parameters = value;
  return { given, amounts: Object.keys(amounts).length > 0 ? amounts : null };
};
