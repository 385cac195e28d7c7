import { OPERATIONS } from '@svc/client/operations.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callTexts, type SentInput } from '../data/call-texts.ts';
import type { ControlOperation } from '../data/client.ts';
import { CodeTabs } from '../design/code-tabs.tsx';

type PageCall = { readonly operation: ControlOperation; readonly input: SentInput };

const isOperation = (name: unknown): name is ControlOperation => typeof name === 'string' && Object.hasOwn(OPERATIONS, name);

/** The requests of the page that is shown, from the cache of results. Those of the layout, such as the session, are keyed otherwise. */
const usePageCalls = (): readonly PageCall[] =>
  useQueryClient()
    .getQueryCache()
    .findAll({ type: 'active' })
    .flatMap(({ queryKey: [operation, input] }) => (isOperation(operation) ? [{ operation, input: (input ?? {}) as SentInput }] : []));

/** The requests of the page, each as text to copy. Loaded when it is opened, with the names of all commands. */
export const CallList = (): ReactNode => {
  const calls = usePageCalls();
  if (calls.length === 0) return <p>This page sends no request.</p>;
  return (
    <>
      <p className="quiet-text">The requests that this page shows. TOKEN is an API key or the token of a session.</p>
      {calls.map(({ operation, input }) => (
        <section key={JSON.stringify([operation, input])} aria-label={operation}>
          <h3>
            <code>
              {OPERATIONS[operation].method} {OPERATIONS[operation].path}
            </code>
          </h3>
          <CodeTabs label={operation} tabs={callTexts(operation, input, location.origin)} />
        </section>
      ))}
    </>
  );
};
