import { OPERATIONS } from '@svc/client/operations.ts';
import type { ReactNode } from 'react';
import { callTexts } from '../data/call-texts.ts';
import { usePageCalls } from '../data/page-calls.ts';
import { CodeTabs } from '../design/code-tabs.tsx';

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
