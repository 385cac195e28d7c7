import type { KeyObject } from 'node:crypto';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { textDigest } from '@svc/keyring/bytes/text-digest.ts';
import { readCursor, signCursor } from '@svc/keyring/tokens/signed-cursor.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';

/** Which page is asked for. `after` is the last identifier of the page before; `view` tells lists, scopes and filters apart. */
export type Page = { readonly after: string | undefined; readonly limit: number; readonly view: string };

/** All of `query` but the cursor and the limit is the filter. */
type PageRequest = { readonly scope: TenantScope; readonly query: { readonly cursor?: string; readonly limit?: number } };

/** What the view of each cursor of an organization begins with. */
const tenantOf = ({ scope }: PageRequest): string => `${textDigest(scope.organization_id)} `;

/** What a cursor is good for: this list, as this scope sees it, through this filter in whatever order it was spelled. */
const viewOf = (list: string, request: PageRequest): string => {
  const { scope, query } = request;
  const { cursor: _, limit: __, ...filter } = query;
  const parts = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const workspaces = scope.workspace_ids?.toSorted() ?? null;
  return `${tenantOf(request)}${textDigest(JSON.stringify([list, workspaces, scope.environment_id ?? null, parts]))}`;
};

const badCursor = (message: string): Refusal<'VALIDATION_FAILED'> =>
  refusal('VALIDATION_FAILED', 'The query is not valid.', { faults: [{ pointer: '/cursor', message }] });

/**
 * Reads a signed cursor; one that was made elsewhere, or for another list, scope or filter, is refused. That of another organization is one
 * that was made elsewhere, so that nobody is told that it was issued at all.
 */
export const readPage = (request: PageRequest, key: KeyObject, list: string): Page | Refusal<'VALIDATION_FAILED'> => {
  const { cursor, limit = LIMITS.pages.defaultCount } = request.query;
  const view = viewOf(list, request);
  if (cursor === undefined) return { after: undefined, limit, view };
  const carried = readCursor(key, cursor);
  if (typeof carried?.after !== 'string' || typeof carried.view !== 'string' || !carried.view.startsWith(tenantOf(request)))
    return badCursor('Invalid cursor. Use the value of next_cursor unchanged.');
  if (carried.view !== view) return badCursor('This cursor belongs to another list, scope or filter. Start again without it.');
  return { after: carried.after, limit, view };
};

export type CursorPage<Item> = { data: Item[]; page: { next_cursor: string; has_more: boolean; stopped_early?: boolean } };

/**
 * A page from one row more than it holds, so that it knows whether there is another. A search that stopped before it had looked at
 * everything names where, and the next page goes on there: then a page may hold fewer rows than asked for, or none.
 */
export const pageOf = <Item extends { readonly id: string }>(
  rows: readonly Item[],
  page: Page,
  key: KeyObject,
  stoppedAt?: string,
): CursorPage<Item> => {
  const data = rows.slice(0, page.limit);
  const after = rows.length > page.limit ? data.at(-1)?.id : stoppedAt;
  const next_cursor = after === undefined ? '' : signCursor(key, { after, view: page.view });
  const stoppedEarly = rows.length <= page.limit && stoppedAt !== undefined;
  return { data, page: { next_cursor, has_more: after !== undefined, ...(stoppedEarly ? { stopped_early: true } : {}) } };
};
