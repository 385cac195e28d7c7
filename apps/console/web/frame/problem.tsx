import { Alert } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ApiError } from '../api/call.ts';

/** Why something did not work, and what to do about it; read out as soon as it is there. */
export const Problem = ({ error }: { readonly error: ApiError | undefined }): ReactNode => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) place.current?.focus();
  }, [error]);
  if (!error) return null;
  return (
    <Alert ref={place} tabIndex={-1} color="red" role="alert" title={error.message}>
      {error.remedy}
      {typeof error.details?.permission === 'string' ? <p>It needs the permission {error.details.permission}.</p> : null}
      {error.request_id ? <p className="quiet">{error.request_id}</p> : null}
    </Alert>
  );
};
