import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ApiError } from '../data/answer.ts';
import { formatFault } from '../data/faults.ts';
import { useStated, useUnstatedFailure } from '../data/read-failures.ts';
import { isReadFailure, retryReads } from '../data/use-operation.ts';
import { Button } from './kit.tsx';

type Texts = typeof import('../data/error-texts.ts');

/** Time after which the texts of the service are shown as they are: it may not respond to any request. */
const TEXTS_WAIT_MS = 1_500;

let texts: Texts | undefined;

/** Loads the texts of errors, which no page needs before its first error. Resolves also if they cannot be loaded. */
const loadTexts = async (): Promise<void> => {
  const [loaded] = await Promise.allSettled([
    Promise.race([import('../data/error-texts.ts'), new Promise<undefined>((resolve) => setTimeout(resolve, TEXTS_WAIT_MS))]),
  ]);
  if (loaded.status === 'fulfilled' && loaded.value !== undefined) texts = loaded.value;
};

const useTexts = (error: ApiError | undefined): boolean => {
  const [isReady, setReady] = useState(texts !== undefined);
  useEffect(() => {
    if (error !== undefined && !isReady) void loadTexts().then(() => setReady(true));
  }, [error, isReady]);
  return isReady;
};

const Retry = (): ReactNode => {
  const [isPending, setPending] = useState(false);
  const retry = async (): Promise<void> => {
    setPending(true);
    await retryReads();
    setPending(false);
  };
  return (
    <Button size="xs" variant="default" loading={isPending} onClick={() => void retry()}>
      Try again
    </Button>
  );
};

type AlertProps = { readonly error: ApiError; readonly takesFocus: boolean };

const Alert = ({ error, takesFocus }: AlertProps): ReactNode => {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another error is announced like the first
  useEffect(() => {
    if (takesFocus) place.current?.focus();
  }, [error]);
  const faults = formatFault(error);
  const { title, action } = texts?.formatErrorTexts(error) ?? { title: error.message, action: error.remedy };
  const isOfForm = error.code === 'VALIDATION_FAILED' && faults.length > 0;
  return (
    <div ref={place} className="problem" tabIndex={-1} role="alert">
      <strong>{isOfForm ? 'Correct the marked fields and try again' : title}</strong>
      {isOfForm || action === undefined ? null : <p>{action}</p>}
      {faults.length === 0 ? null : (
        <ul className="faults">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {typeof error.details?.permission === 'string' ? <p>Required permission: {error.details.permission}.</p> : null}
      {error.requestId ? <p className="quiet">{error.requestId}</p> : null}
      {isReadFailure(error) ? <Retry /> : null}
    </div>
  );
};

type ShownProps = { readonly error: ApiError | undefined; readonly takesFocus: boolean };

/** Shows an error as soon as its texts are loaded. */
const Shown = ({ error, takesFocus }: ShownProps): ReactNode => {
  const isReady = useTexts(error);
  return error === undefined || !isReady ? null : <Alert error={error} takesFocus={takesFocus} />;
};

/** An alert that explains a failed request, with a retry if the page could not read something. It takes the focus, so that screen readers read it. */
export const Problem = ({ error }: { readonly error: ApiError | undefined }): ReactNode => {
  useStated(error);
  return <Shown error={error} takesFocus />;
};

/** An alert about what the page could not read and no part of it states. It leaves the focus to what the person does. */
export const UnstatedProblem = (): ReactNode => <Shown error={useUnstatedFailure()} takesFocus={false} />;
