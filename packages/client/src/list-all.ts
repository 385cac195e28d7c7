import type { CallOutcome, Client, OperationInput, OperationName, OperationResult } from './client-types.ts';

type CursorPage = { readonly data: readonly unknown[]; readonly page: { readonly next_cursor: string } };
type Collection = { readonly items: readonly unknown[] };

/** One item of a list: of an array, a collection or a cursor page. */
export type ItemOf<Result> = Result extends readonly (infer Item)[]
  ? Item
  : Result extends { readonly items: readonly (infer Item)[] }
    ? Item
    : Result extends { readonly data: readonly (infer Item)[] }
      ? Item
      : never;

/** Operations that answer a list. */
export type ListName = {
  [Name in OperationName]: [ItemOf<OperationResult<Name>>] extends [never] ? never : Name;
}[OperationName];

/** Query parameters of the next page in a `Link` header (RFC 8288); undefined on the last page. */
const nextQuery = (headers: Headers): Readonly<Record<string, string>> | undefined => {
  const next = (headers.get('link') ?? '').split(',').find((link) => link.includes('rel="next"'));
  if (next === undefined) return undefined;
  const target = next.slice(next.indexOf('<') + 1, next.indexOf('>'));
  return Object.fromEntries(new URL(target, 'http://relative.invalid').searchParams);
};

/** The items of an answer that is a list. */
export const listItems = (body: unknown): readonly unknown[] => {
  if (Array.isArray(body)) return body;
  return (body as Partial<Collection>).items ?? (body as Partial<CursorPage>).data ?? [];
};

/** The query of the page that follows an answer: by its cursor, or by its `Link` header; undefined after the last page. */
export const nextPageQuery = (body: unknown, headers: Headers, query: object): object | undefined => {
  const cursor = (body as Partial<CursorPage>).page?.next_cursor;
  if (cursor !== undefined) return cursor === '' ? undefined : { ...query, cursor };
  return nextQuery(headers);
};

/**
 * Every item of a list, page by page as they are taken. Rejects with a `ServiceError` where a page is refused. Items that are added or
 * removed meanwhile may be missing or come twice in lists that page by offset.
 */
export async function* listAll<Name extends ListName>(
  client: Pick<Client<Name>, 'request'>,
  name: Name,
  input?: OperationInput<Name>,
): AsyncGenerator<ItemOf<OperationResult<Name>>> {
  const request = client.request as unknown as (name: Name, input: object) => Promise<CallOutcome<unknown>>;
  let query: object | undefined = input?.query ?? {};
  while (query !== undefined) {
    const outcome: CallOutcome<unknown> = await request(name, { ...input, query });
    if (!outcome.ok) throw outcome.error;
    for (const item of listItems(outcome.body)) yield item as ItemOf<OperationResult<Name>>;
    query = nextPageQuery(outcome.body, outcome.headers, query);
  }
}
