import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/limits.ts';
import { type Refusal, refusal } from '@svc/contract/refusal.ts';
import { readCursor, signCursor } from '@svc/keyring/signed-cursor.ts';

/** Which page a query asks for. `after` is the last identifier of the page before. */
export type Page = { readonly after: string | undefined; readonly limit: number; readonly filter: string };

type PagedQuery = { readonly cursor?: string; readonly limit?: number };

/** The filter as one text, whatever the order of its parts; a cursor belongs to exactly one. */
const filterText = (query: PagedQuery): string => {
  const { cursor: _, limit: __, ...filter } = query;
  return JSON.stringify(Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1)));
};

const badCursor = (message: string): Refusal<'VALIDATION_FAILED'> =>
  refusal('VALIDATION_FAILED', 'The query is not valid.', { faults: [{ pointer: '/cursor', message }] });

/** Reads a signed cursor; one that was made elsewhere, or with another filter, is refused. */
export const readPage = (query: PagedQuery, key: KeyObject, list: string): Page | Refusal<'VALIDATION_FAILED'> => {
  const filter = filterText(query);
  const limit = query.limit ?? LIMITS.pages.defaultCount;
  if (query.cursor === undefined) return { after: undefined, limit, filter };
  const carried = readCursor(key, query.cursor);
  if (!carried || carried['list'] !== list || typeof carried['after'] !== 'string')
    return badCursor('This cursor was not made here; use next_cursor as it was given.');
  if (carried['filter'] !== filter) return badCursor('This cursor was made with another filter; start again without it.');
  return { after: carried['after'], limit, filter };
};

export type CursorPage<Item> = { data: Item[]; page: { next_cursor: string; has_more: boolean } };

/** A page from one row more than it holds, so that it knows whether there is another. */
export const pageOf = <Item extends { readonly id: string }>(
  rows: readonly Item[],
  page: Page,
  key: KeyObject,
  list: string,
): CursorPage<Item> => {
  const data = rows.slice(0, page.limit);
  const has_more = rows.length > page.limit;
  const after = data.at(-1)?.id;
  return { data, page: { next_cursor: has_more && after ? signCursor(key, { list, after, filter: page.filter }) : '', has_more } };
};
