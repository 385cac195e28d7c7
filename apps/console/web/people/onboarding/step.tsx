import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { CallText } from '../../data/call-texts.ts';
import { CodeTabs } from '../../design/code-tabs.tsx';

type StepProps = {
  readonly number: number;
  readonly title: string;
  readonly state: 'done' | 'current' | 'next';
  /** Result of a step that is done, in one sentence. */
  readonly result?: ReactNode;
  readonly children: ReactNode;
};

const STATES = { done: 'done', current: 'current step', next: 'not yet' } as const;

/** One step of the trial. The heading of the current one takes the focus when the step before it is done. */
export const Step = ({ number, title, state, result, children }: StepProps): ReactNode => {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(state);
  useEffect(() => {
    if (state === 'current' && before.current === 'next') heading.current?.focus();
    before.current = state;
  }, [state]);
  return (
    <li className="trial-step" data-state={state}>
      <section aria-labelledby={id}>
        <h2 id={id} ref={heading} tabIndex={-1}>
          <span className="step-number" aria-hidden>
            {state === 'done' ? '✓' : number}
          </span>
          {title} <span className="quiet-text">({STATES[state]})</span>
        </h2>
        {state === 'done' ? result : null}
        {state === 'current' ? children : null}
      </section>
    </li>
  );
};

type SideBySideProps = { readonly label: string; readonly texts: readonly CallText[]; readonly children: ReactNode };

/** A button or a form at the left, and the same request as text to copy at the right. */
export const SideBySide = ({ label, texts, children }: SideBySideProps): ReactNode => (
  <div className="split">
    <div>{children}</div>
    <CodeTabs label={label} tabs={texts} />
  </div>
);
