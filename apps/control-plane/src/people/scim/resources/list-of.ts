import { LIMITS } from '@svc/contract/tables/limits.ts';
import { matchesFilter } from '@svc/domain/people/scim/matches-filter.ts';
import { readFilter, type ScimFilter } from '@svc/domain/people/scim/read-filter.ts';
import { scimFault } from '../answers/scim-error.ts';
import { chosen } from './told-resources.ts';

type Told = Readonly<Record<string, unknown>>;
type Query = {
  readonly filter?: string;
  readonly startIndex?: number;
  readonly count?: number;
  readonly attributes?: string;
  readonly excludedAttributes?: string;
};

/** How a kind of resource is looked up: by what an index answers, or page by page. */
export type Source<By extends string> = {
  /** The attribute that a filter compares -> what it is looked up by, `eq` alone. */
  readonly indexed: Readonly<Record<string, By>>;
  readonly read: (asked: {
    readonly where?: { readonly by: By; readonly value: string } | undefined;
    readonly limit: number;
    readonly offset: number;
  }) => Promise<{ readonly total: number; readonly items: readonly Told[] }>;
};

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const { scim } = LIMITS;

/** The one comparison of a filter that an index answers, if it is one. */
const indexedBy = <By extends string>(filter: ScimFilter, indexed: Source<By>['indexed']) => {
  if (filter.kind !== 'compared' || filter.by !== 'eq' || filter.path.length !== 1 || typeof filter.to !== 'string') return undefined;
  const by = Object.entries(indexed).find(([attribute]) => attribute.toLowerCase() === filter.path[0])?.[1];
  return by === undefined ? undefined : { by, value: filter.to };
};

const asList = (items: readonly Told[], total: number, startIndex: number, query: Query) => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex,
  itemsPerPage: items.length,
  Resources: items.map((item) => chosen(item, query)),
});

/** A list as RFC 7644, section 3.4.2, has it: a bounded page, and a filter that looks through a bounded number. */
export const listOf = async <By extends string>(query: Query, { indexed, read }: Source<By>) => {
  const startIndex = Math.max(1, query.startIndex ?? 1);
  const limit = Math.min(scim.pageMax, Math.max(0, query.count ?? scim.pageMax));
  const offset = startIndex - 1;
  const { filter: text } = query;
  if (text === undefined) {
    const { total, items } = await read({ limit, offset });
    return asList(items, total, startIndex, query);
  }
  const filter = readFilter(text);
  if (filter === undefined) return scimFault('invalidFilter', 'The filter is not one that can be read.');
  const where = indexedBy(filter, indexed);
  if (where) {
    const { total, items } = await read({ where, limit, offset });
    return asList(items, total, startIndex, query);
  }
  const all = await read({ limit: scim.filteredMax, offset: 0 });
  if (all.total > scim.filteredMax)
    return scimFault(
      'tooMany',
      `Such a filter looks through at most ${scim.filteredMax}: compare userName, externalId or displayName with eq.`,
    );
  const matching = all.items.filter((item) => matchesFilter(filter, item));
  return asList(matching.slice(offset, offset + limit), matching.length, startIndex, query);
};
