import { Alert } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ApiError } from '../data/answer.ts';
import { faultWords } from '../data/faults.ts';

/** Why something did not work, and what to do about it; read out as soon as it is there. */
export const Problem = ({ error }: { readonly error: ApiError | undefined }): ReactNode => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) place.current?.focus();
  }, [error]);
  if (!error) return null;
  const faults = faultWords(error);
  const isOfForm = error.code === 'VALIDATION_FAILED' && faults.length > 0;
  return (
    <Alert ref={place} tabIndex={-1} color="red" role="alert" title={isOfForm ? 'Correct this, and send it again' : error.message}>
      {isOfForm ? null : error.remedy}
      {faults.length === 0 ? null : (
        <ul className="faults">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {typeof error.details?.permission === 'string' ? <p>It needs the permission {error.details.permission}.</p> : null}
      {error.requestId ? <p className="quiet">{error.requestId}</p> : null}
    </Alert>
  );
};
