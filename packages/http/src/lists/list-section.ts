import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { HEADERS } from '@svc/contract/tables/wire-name.ts';
import type { Listed } from '@svc/postgres/lists/listed.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

const MORE = Symbol('rest of the list');

/** A part of a list that is returned as a plain array; counts are in headers. */
export type ListSection<Items> = { readonly [MORE]: { readonly total: number; readonly hasMore: boolean }; readonly items: Items };

export const formatListSection = <Row>({ rows, total, hasMore }: Listed<Row>): ListSection<Row[]> => ({
  [MORE]: { total, hasMore },
  items: rows,
});

const isPart = (result: unknown): result is ListSection<unknown> => typeof result === 'object' && result !== null && MORE in result;

type Query = { readonly limit?: number; readonly offset?: number };
type Answered = { readonly items?: readonly unknown[]; readonly total?: number; readonly page?: { readonly next_cursor: string } };

/** Returns the link to the next part, relative to the plane: the client knows its address. */
const getLink = (request: FastifyRequest, next: Readonly<Record<string, string | number>>): string => {
  const { pathname, searchParams } = new URL(request.url, 'http://plane');
  for (const [name, value] of Object.entries(next)) searchParams.set(name, String(value));
  return `<${pathname}?${searchParams}>; rel="next"`;
};

const offsetMax = LIMITS.pages.offsetMax;

/** A page may hold fewer rows than requested if they are large: the next one begins after the last row it holds. */
const tellOffset = (request: FastifyRequest, reply: FastifyReply, { rows, total, hasMore }: Listed<unknown>): void => {
  const { limit = LIMITS.pages.defaultCount, offset = 0 } = request.query as Query;
  reply.header(HEADERS.totalCount, String(Math.min(total, LIMITS.pages.countedMax + 1)));
  const next = offset + rows.length;
  if (hasMore && next <= offsetMax) reply.header('link', getLink(request, { limit, offset: next }));
};

/** Sets the headers of a partial list, for every kind of pagination. Returns the body. */
export type TellMore = (request: FastifyRequest, reply: FastifyReply, result: unknown) => unknown;

const names = (row: Endpoint): readonly string[] => Object.keys((row.query as { properties?: object } | undefined)?.properties ?? {});

/** Returns the function that sets these headers; undefined if the responses of a row are always complete. */
export const createPartHeaders = (row: Endpoint): TellMore | undefined => {
  const asked = names(row);
  if (asked.includes('offset'))
    return (request, reply, result) => {
      if (isPart(result)) {
        tellOffset(request, reply, { ...result[MORE], rows: result.items as unknown[] });
        return result.items;
      }
      if (Array.isArray(result)) {
        const { limit = result.length, offset = 0 } = request.query as Query;
        const rows = result.slice(offset, offset + limit);
        tellOffset(request, reply, { rows, total: result.length, hasMore: offset + rows.length < result.length });
        return rows;
      }
      const { items: rows = [], total = 0 } = result as Answered;
      const { offset = 0 } = request.query as Query;
      tellOffset(request, reply, { rows: [...rows], total, hasMore: offset + rows.length < total });
      return result;
    };
  if (asked.includes('cursor'))
    return (request, reply, result) => {
      const cursor = (result as Answered).page?.next_cursor;
      if (cursor) reply.header('link', getLink(request, { cursor }));
      return result;
    };
  return undefined;
};
