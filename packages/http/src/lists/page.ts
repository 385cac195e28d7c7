import type { KeyObject } from 'node:crypto';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { textDigest } from '@svc/keyring/bytes/text-digest.ts';
import { readCursor, signCursor } from '@svc/keyring/tokens/signed-cursor.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';

/** A requested page. `after` is the last id of the previous page; `view` identifies list, scope and filter. */
export type PageSelection = { readonly after: string | undefined; readonly limit: number; readonly view: string };

/** The filter is all of `query` except cursor and limit. */
type PageRequest = { readonly scope: TenantScope; readonly query: { readonly cursor?: string; readonly limit?: number } };

/** Prefix of the view in each cursor of an organization. */
const getTenant = ({ scope }: PageRequest): string => `${textDigest(scope.organization_id)} `;

/** Identifies what a cursor is valid for: this list, this scope, and this filter in any order of its members. */
const getView = (list: string, request: PageRequest): string => {
  const { scope, query } = request;
  const { cursor: _, limit: __, ...filter } = query;
  const parts = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const workspaces = scope.workspace_ids?.toSorted() ?? null;
  return `${getTenant(request)}${textDigest(JSON.stringify([list, workspaces, scope.environment_id ?? null, parts]))}`;
};

const badCursor = (message: string): Refusal<'VALIDATION_FAILED'> =>
  buildRefusal('VALIDATION_FAILED', 'The query is not valid.', { faults: [{ pointer: '/cursor', message }] });

/**
 * Reads a signed cursor; refuses one of another service, list, scope or filter. One of another organization gets the response of a forged
 * one, which does not disclose that it was issued.
 */
export const readPage = (request: PageRequest, key: KeyObject, list: string): PageSelection | Refusal<'VALIDATION_FAILED'> => {
  const { cursor, limit = LIMITS.pages.defaultCount } = request.query;
  const view = getView(list, request);
  if (cursor === undefined) return { after: undefined, limit, view };
  const carried = readCursor(key, cursor);
  if (typeof carried?.after !== 'string' || typeof carried.view !== 'string' || !carried.view.startsWith(getTenant(request)))
    return badCursor('Invalid cursor. Use the value of next_cursor unchanged.');
  if (carried.view !== view) return badCursor('This cursor belongs to another list, scope or filter. Start again without it.');
  return { after: carried.after, limit, view };
};

export type CursorPage<Item> = { data: Item[]; page: { next_cursor: string; has_more: boolean; stopped_early?: boolean } };

/**
 * Builds a page from one row more than it holds, to know whether there is another. An interrupted search names its position, and the next
 * page continues there: then a page may hold fewer rows than requested, or none.
 */
export const buildPage = <Item extends { readonly id: string }>(
  rows: readonly Item[],
  page: PageSelection,
  key: KeyObject,
  stoppedAt?: string,
): CursorPage<Item> => {
  const data = rows.slice(0, page.limit);
  const after = rows.length > page.limit ? data.at(-1)?.id : stoppedAt;
  const next_cursor = after === undefined ? '' : signCursor(key, { after, view: page.view });
  const stoppedEarly = rows.length <= page.limit && stoppedAt !== undefined;
  return { data, page: { next_cursor, has_more: after !== undefined, ...(stoppedEarly ? { stopped_early: true } : {}) } };
};
