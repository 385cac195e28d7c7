import type { FilterValue, ScimFilter } from './read-filter.ts';

type Told = Readonly<Record<string, unknown>>;

const isTold = (value: unknown): value is Told => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the values under a name, ignoring case; of a list, those in each element. */
const under = (value: unknown, name: string): readonly unknown[] => {
  if (Array.isArray(value)) return value.flatMap((each) => under(each, name));
  if (!isTold(value)) return [];
  const own = Object.hasOwn(value, name) ? name : Object.keys(value).find((key) => key.toLowerCase() === name);
  const found = own === undefined ? undefined : value[own];
  if (found === undefined || found === null) return [];
  return Array.isArray(found) ? found : [found];
};

const valuesAt = (value: unknown, path: readonly string[]): readonly unknown[] =>
  path.reduce<readonly unknown[]>((values, name) => values.flatMap((each) => under(each, name)), [value]);

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

/** Times in this service's format sort like texts. */
const getOrder = (value: unknown, to: FilterValue): number | undefined => {
  if (typeof value !== typeof to || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
  if (value === to) return 0;
  return value > (to as typeof value) ? 1 : -1;
};

/** Directories send booleans as text as well. */
const isEqual = (value: unknown, to: FilterValue): boolean =>
  typeof value === 'boolean' && typeof to === 'string' ? String(value) === to.toLowerCase() : value === to;

const isSo = (value: unknown, by: string, to: FilterValue): boolean => {
  if (by === 'eq') return isEqual(value, to);
  const order = ORDERS[by];
  if (order !== undefined) {
    const found = getOrder(value, to);
    return found !== undefined && order(found);
  }
  if (typeof value !== 'string' || typeof to !== 'string') return false;
  if (by === 'co') return value.includes(to);
  return by === 'sw' ? value.startsWith(to) : value.endsWith(to);
};

/** Attributes whose text is compared exactly (`caseExact` of RFC 7643); any other is compared in any case. */
const CASE_EXACT: ReadonlySet<string> = new Set(['id', 'externalid', 'meta', 'schemas', 'members', 'groups']);

const folded = <Value>(value: Value, isExact: boolean): Value | string =>
  typeof value === 'string' && !isExact ? value.toLowerCase() : value;

/** Compares a complex value by its `value` (RFC 7644, section 3.4.2.2). */
const plain = (told: unknown): unknown => (isTold(told) ? told.value : told);

const isCompared = (values: readonly unknown[], by: string, to: FilterValue, isExact: boolean): boolean => {
  if (by === 'ne') return !isCompared(values, 'eq', to, isExact);
  if (values.length === 0) return by === 'eq' && to === null;
  const wanted = folded(to, isExact);
  return values.some((value) => isSo(folded(plain(value), isExact), by, wanted));
};

const matches = (filter: ScimFilter, value: unknown, within: string | undefined): boolean => {
  if (filter.kind === 'and') return filter.of.every((each) => matches(each, value, within));
  if (filter.kind === 'or') return filter.of.some((each) => matches(each, value, within));
  if (filter.kind === 'not') return !matches(filter.of, value, within);
  const values = valuesAt(value, filter.path);
  const attribute = within ?? filter.path[0] ?? '';
  if (filter.kind === 'within') return values.some((each) => matches(filter.of, each, attribute));
  return filter.kind === 'present'
    ? values.some((each) => each !== '')
    : isCompared(values, filter.by, filter.to, CASE_EXACT.has(attribute));
};

/** Returns true if a filter holds for a resource or a part of one. Each comparison reads it once. */
export const matchesFilter = (filter: ScimFilter, value: unknown): boolean => matches(filter, value, undefined);
