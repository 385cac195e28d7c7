import type { InputOf, OperationsOf, ResultOf } from '@svc/client/client-types.ts';
import type { ServiceError } from '@svc/client/errors.ts';
import { QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { client } from './client.ts';

const FRESH_MS = 5_000;

/** Cache of results, shared by all pages until the tab is closed. */
export const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: FRESH_MS, throwOnError: false } } });

type ControlOperation = OperationsOf<'control'>;

/** Reads an operation's result, cached by its input. Pages that show the same operation share one request. */
export const useOperation = <Name extends ControlOperation>(
  name: Name,
  input: InputOf<Name>,
  { isEnabled = true }: { readonly isEnabled?: boolean } = {},
): UseQueryResult<ResultOf<Name>, ServiceError> => {
  const request = client.request as unknown as (
    operation: Name,
    sent: object,
  ) => Promise<{ readonly ok: true; readonly body: ResultOf<Name> } | { readonly ok: false; readonly error: ServiceError }>;
  return useQuery<ResultOf<Name>, ServiceError>({
    queryKey: [name, input],
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const outcome = await request(name, { ...input, signal });
      if (!outcome.ok) throw outcome.error;
      return outcome.body;
    },
  });
};

/** Marks the cached results of an operation as outdated; pages that show them read them again. */
export const refresh = (name: ControlOperation): Promise<void> => queries.invalidateQueries({ queryKey: [name] });
