import type { ScimFilter } from './read-filter.ts';

/** The execution plan of a filter: one comparison by an index, and the rest checked on its results. */
export type FilterPlan<By extends string> = {
  readonly where: { readonly by: By; readonly value: string } | undefined;
  readonly rest: ScimFilter | undefined;
  /** Returns true if the rest reads an attribute, by lower-case name. */
  readonly looksInto: (attribute: string) => boolean;
};

const findNames = (filter: ScimFilter): readonly string[] => {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.of.flatMap(findNames);
  if (filter.kind === 'not') return findNames(filter.of);
  return filter.path.slice(0, 1);
};

/** Returns the operands of an equality comparison, also within the values of an attribute. */
const equalTo = (filter: ScimFilter): { readonly path: string; readonly value: string } | undefined => {
  if (filter.kind === 'within') {
    const inner = equalTo(filter.of);
    return inner && { path: [...filter.path, inner.path].join('.'), value: inner.value };
  }
  if (filter.kind !== 'compared' || filter.by !== 'eq' || typeof filter.to !== 'string') return undefined;
  return { path: filter.path.join('.'), value: filter.to };
};

/** Takes the first comparison with an index, alone or within an `and`, out of a filter. */
export const planFilter = <By extends string>(filter: ScimFilter | undefined, indexed: Readonly<Record<string, By>>): FilterPlan<By> => {
  const parts = filter === undefined ? [] : filter.kind === 'and' ? filter.of : [filter];
  const whereOf = (part: ScimFilter): FilterPlan<By>['where'] => {
    const equal = equalTo(part);
    if (equal === undefined || !Object.hasOwn(indexed, equal.path)) return undefined;
    return { by: indexed[equal.path] as By, value: equal.value };
  };
  const at = parts.findIndex((part) => whereOf(part) !== undefined);
  const [first, ...more] = parts.filter((_, place) => place !== at);
  const rest: ScimFilter | undefined = first && more.length > 0 ? { kind: 'and', of: [first, ...more] } : first;
  const named = new Set(rest === undefined ? [] : findNames(rest));
  const found = parts[at];
  return { where: found && whereOf(found), rest, looksInto: (attribute) => named.has(attribute) };
};
