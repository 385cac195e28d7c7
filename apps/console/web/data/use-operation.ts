import type { CallOutcome, OperationInput, OperationResult } from '@svc/client/client-types.ts';
import type { ServiceError } from '@svc/client/errors.ts';
import { QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ControlOperation, client } from './client.ts';
import { useScopeInput } from './scope.ts';

const FRESH_MS = 5_000;

/** Cache of results, shared by all pages until the tab is closed. */
export const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: FRESH_MS, throwOnError: false } } });

/** Sends an operation's request and throws its error, as the cache expects. */
export const fetchOperation = async <Name extends ControlOperation>(
  name: Name,
  input: object,
): Promise<Extract<CallOutcome<OperationResult<Name>>, { ok: true }>> => {
  const request = client.request as unknown as (operation: Name, sent: object) => Promise<CallOutcome<OperationResult<Name>>>;
  const outcome = await request(name, input);
  if (!outcome.ok) throw outcome.error;
  return outcome;
};

/** True for the error of a request that a shown page reads, and can read again. */
export const isReadFailure = (error: ServiceError): boolean =>
  queries.getQueryCache().findAll({ predicate: (query) => query.state.error === error }).length > 0;

/** Reads again everything on the page that could not be read. */
export const retryReads = (): Promise<void> =>
  queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });

type Options = {
  readonly isEnabled?: boolean;
  /** Milliseconds until the operation is read again. */
  readonly everyMs?: number;
  /** Read once per page and not again when the person returns to the tab, as a link's token is. */
  readonly isOnce?: boolean;
};

/** Reads an operation's result, cached by its input. Pages that show the same operation share one request. */
export const useOperation = <Name extends ControlOperation>(
  name: Name,
  input: OperationInput<Name>,
  { isEnabled = true, everyMs, isOnce = false }: Options = {},
): UseQueryResult<OperationResult<Name>, ServiceError> => {
  const scope = useScopeInput(name);
  return useQuery<OperationResult<Name>, ServiceError>({
    queryKey: [name, { ...input, ...scope }],
    enabled: isEnabled,
    refetchInterval: everyMs ?? false,
    ...(isOnce ? { staleTime: Number.POSITIVE_INFINITY } : {}),
    queryFn: async ({ signal }) => (await fetchOperation(name, { ...input, ...scope, signal })).body,
  });
};

/** Marks the cached results of operations as outdated; pages that show them read them again. */
export const refresh = async (...names: readonly ControlOperation[]): Promise<void> => {
  await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));
};
