import { LIMITS } from '@svc/contract/tables/limits.ts';
import { matchesFilter } from '@svc/domain/people/scim/matches-filter.ts';
import { planFilter } from '@svc/domain/people/scim/plan-filter.ts';
import { readFilter } from '@svc/domain/people/scim/read-filter.ts';
import { findScimFault } from '@svc/operations/people/scim/scim-fault.ts';
import { isRequested, selectAttributes } from './format-resources.ts';

type Told = Readonly<Record<string, unknown>>;
type Query = {
  readonly filter?: string;
  readonly startIndex?: number;
  readonly count?: number;
  readonly attributes?: string;
  readonly excludedAttributes?: string;
};

/** Lookup of a kind of resource: by index, or page by page. */
export type ResourceSource<By extends string, Row> = {
  /** Attribute that a filter compares, in lower case -> its index, for `eq` only. */
  readonly indexed: Readonly<Record<string, By>>;
  /** Attribute that lists memberships. There may be many, so they are read only on request, and a bounded number. */
  readonly memberships: string;
  readonly read: (asked: {
    readonly where?: { readonly by: By; readonly value: string } | undefined;
    readonly limit: number;
    readonly offset: number;
  }) => Promise<{ readonly total: number; readonly rows: readonly Row[] }>;
  /** Returns the first rows whose memberships together are within `limit`, with these. */
  readonly fill: (rows: readonly Row[], limit: number) => Promise<readonly Row[]>;
  readonly tell: (row: Row) => Told;
};

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const { scim } = LIMITS;

const TOO_MANY = `Such a filter looks through at most ${scim.filteredMax}: compare userName, externalId or displayName with eq.`;
const TOO_MANY_MEMBERSHIPS = `Such a filter looks through at most ${scim.membershipsMax} members of groups: compare one with eq.`;

/**
 * Returns a list (RFC 7644, section 3.4.2): a bounded page, shorter if its memberships exceed the response limit, and a filter that
 * examines a bounded number of rows.
 */
export const formatList = async <By extends string, Row>(query: Query, source: ResourceSource<By, Row>) => {
  const { indexed, memberships, read, fill, tell } = source;
  const startIndex = Math.max(1, query.startIndex ?? 1);
  const limit = Math.min(scim.pageMax, Math.max(0, query.count ?? scim.pageMax));
  const offset = startIndex - 1;
  const asList = async (rows: readonly Row[], total: number, isFilled = false) => {
    const told = isFilled || rows.length === 0 || !isRequested(memberships, query) ? rows : await fill(rows, scim.membershipsMax);
    return {
      schemas: [LIST_SCHEMA],
      totalResults: total,
      startIndex,
      itemsPerPage: told.length,
      Resources: told.map((row) => selectAttributes(tell(row), query)),
    };
  };
  const filter = query.filter === undefined ? undefined : readFilter(query.filter);
  if (query.filter !== undefined && filter === undefined) return findScimFault('invalidFilter', 'The filter is not one that can be read.');
  const { where, rest, looksInto } = planFilter(filter, indexed);
  if (rest === undefined) {
    const { total, rows } = await read({ where, limit, offset });
    return asList(rows, total);
  }
  const all = await read({ where, limit: scim.filteredMax, offset: 0 });
  if (all.total > scim.filteredMax) return findScimFault('tooMany', TOO_MANY);
  const isFilled = looksInto(memberships);
  const rows = isFilled && all.rows.length > 0 ? await fill(all.rows, scim.membershipsMax) : all.rows;
  if (rows.length < all.rows.length) return findScimFault('tooMany', TOO_MANY_MEMBERSHIPS);
  const matching = rows.filter((row) => matchesFilter(rest, tell(row)));
  return asList(matching.slice(offset, offset + limit), matching.length, isFilled);
};
