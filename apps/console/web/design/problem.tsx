import { Alert } from '@mantine/core';
import { ERRORS, type ErrorCode } from '@svc/contract/tables/errors.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ApiError } from '../data/answer.ts';
import { formatFault } from '../data/faults.ts';

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** Returns the title and the action for a person. A message that is more specific than the default of its code replaces the title. */
const sentencesFor = ({ code, message, remedy }: ApiError): { readonly title: string; readonly action?: string | undefined } => {
  if (!isErrorCode(code)) return { title: message, action: remedy };
  const { message: usual, people } = ERRORS[code];
  return { title: message === usual ? people.title : message, action: people.action };
};

/** An alert that explains a failed request. It takes the focus, so that screen readers read it. */
export const Problem = ({ error }: { readonly error: ApiError | undefined }): ReactNode => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) place.current?.focus();
  }, [error]);
  if (!error) return null;
  const faults = formatFault(error);
  const { title, action } = sentencesFor(error);
  const isOfForm = error.code === 'VALIDATION_FAILED' && faults.length > 0;
  return (
    <Alert ref={place} tabIndex={-1} color="red" role="alert" title={isOfForm ? 'Correct the marked fields and try again' : title}>
      {isOfForm ? null : action}
      {faults.length === 0 ? null : (
        <ul className="faults">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {typeof error.details?.permission === 'string' ? <p>Required permission: {error.details.permission}.</p> : null}
      {error.requestId ? <p className="quiet">{error.requestId}</p> : null}
    </Alert>
  );
};
