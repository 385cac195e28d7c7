import { OPERATIONS } from '@svc/client/operations.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { SentInput } from './call-texts.ts';
import type { ControlOperation } from './client.ts';

export type PageCall = { readonly operation: ControlOperation; readonly input: SentInput };

const isOperation = (name: unknown): name is ControlOperation => typeof name === 'string' && Object.hasOwn(OPERATIONS, name);

/** The requests of the page that is shown, from the cache of results. Those of the layout, such as the session, are keyed otherwise. */
export const usePageCalls = (): readonly PageCall[] =>
  useQueryClient()
    .getQueryCache()
    .findAll({ type: 'active' })
    .flatMap(({ queryKey: [operation, input] }) => (isOperation(operation) ? [{ operation, input: (input ?? {}) as SentInput }] : []));
