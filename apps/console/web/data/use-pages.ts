import type { OperationInput, OperationResult } from '@svc/client/client-types.ts';
import type { ServiceError } from '@svc/client/errors.ts';
import { type ItemOf, type ListName, listItems, nextPageQuery } from '@svc/client/list-all.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ControlOperation } from './client.ts';
import { useScopeInput } from './scope.ts';
import { fetchOperation } from './use-operation.ts';

const SHOWN_AT_ONCE = 25;
/** Most rows that one press adds; the first presses add as many as are shown. */
const ADDED_MAX = 200;

/** A list as far as it is shown. */
export type List<Item> = {
  /** Undefined while they load. */
  readonly items: readonly Item[] | undefined;
  readonly error: ServiceError | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** True if the service stopped its search before it had a full page. */
  readonly stoppedEarly: boolean;
  readonly more: () => void;
};

type Page<Item> = { readonly items: readonly Item[]; readonly next: object | undefined; readonly stoppedEarly: boolean };
type Loaded<Item> = { readonly items: readonly Item[]; readonly stoppedEarly: boolean };

const hasStoppedEarly = (body: unknown): boolean =>
  (body as { readonly page?: { readonly stopped_early?: boolean } }).page?.stopped_early === true;

/** Reads a list, page by page where the operation answers in pages, and shows part of it until the person asks for more. */
export const usePages = <Name extends ControlOperation & ListName>(
  name: Name,
  input: OperationInput<Name>,
): List<ItemOf<OperationResult<Name>>> => {
  type Item = ItemOf<OperationResult<Name>>;
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const scope = useScopeInput(name);
  const query = useInfiniteQuery<Page<Item>, ServiceError, Loaded<Item>, readonly unknown[], object>({
    queryKey: [name, { ...input, ...scope }, 'pages'],
    initialPageParam: input.query ?? {},
    queryFn: async ({ pageParam, signal }) => {
      const { body, headers } = await fetchOperation(name, { ...input, ...scope, query: pageParam, signal });
      return {
        items: listItems(body) as readonly Item[],
        next: nextPageQuery(body, headers, pageParam),
        stoppedEarly: hasStoppedEarly(body),
      };
    },
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => ({ items: pages.flatMap(({ items }) => items), stoppedEarly: pages.at(-1)?.stoppedEarly === true }),
  });
  const loaded = query.data?.items;
  const more = (): void => {
    const wanted = shown + Math.min(shown, ADDED_MAX);
    setShown(wanted);
    if (query.hasNextPage && (loaded?.length ?? 0) < wanted) void query.fetchNextPage();
  };
  return {
    items: loaded?.slice(0, shown),
    error: query.error ?? undefined,
    hasMore: (loaded?.length ?? 0) > shown || query.hasNextPage,
    isLoading: query.isFetching,
    stoppedEarly: query.data?.stoppedEarly === true,
    more,
  };
};
