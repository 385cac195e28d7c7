import type { Compared, ScimFilter } from './read-filter.ts';

type Told = Readonly<Record<string, unknown>>;

const isTold = (value: unknown): value is Told => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands under a name, however its letters are written; of a list, what stands in each. */
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

/** Times that are written as this service tells them sort as texts do. */
const orderOf = (value: unknown, to: Compared): number | undefined => {
  if (typeof value !== typeof to || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
  if (value === to) return 0;
  return value > (to as typeof value) ? 1 : -1;
};

/** Some directories write what is true or false as words. */
const isEqual = (value: unknown, to: Compared): boolean =>
  typeof value === 'boolean' && typeof to === 'string' ? String(value) === to.toLowerCase() : value === to;

const isSo = (told: unknown, by: string, to: Compared): boolean => {
  // What has parts is compared by its value (RFC 7644, section 3.4.2.2).
  const value = isTold(told) ? told.value : told;
  if (by === 'eq') return isEqual(value, to);
  const order = ORDERS[by];
  if (order !== undefined) {
    const found = orderOf(value, to);
    return found !== undefined && order(found);
  }
  if (typeof value !== 'string' || typeof to !== 'string') return false;
  if (by === 'co') return value.includes(to);
  return by === 'sw' ? value.startsWith(to) : value.endsWith(to);
};

const isCompared = (values: readonly unknown[], by: string, to: Compared): boolean => {
  if (by === 'ne') return !isCompared(values, 'eq', to);
  return values.length === 0 ? by === 'eq' && to === null : values.some((value) => isSo(value, by, to));
};

/** Whether a filter holds for a resource or a part of one: each comparison looks at it once. */
export const matchesFilter = (filter: ScimFilter, value: unknown): boolean => {
  if (filter.kind === 'and') return filter.of.every((each) => matchesFilter(each, value));
  if (filter.kind === 'or') return filter.of.some((each) => matchesFilter(each, value));
  if (filter.kind === 'not') return !matchesFilter(filter.of, value);
  const values = valuesAt(value, filter.path);
  if (filter.kind === 'within') return values.some((each) => matchesFilter(filter.of, each));
  return filter.kind === 'present' ? values.some((each) => each !== '') : isCompared(values, filter.by, filter.to);
};
