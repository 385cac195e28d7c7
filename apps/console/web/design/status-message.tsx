import { type ReactNode, useEffect, useRef } from 'react';

/** What was done, where the keyboard goes on from. */
export const StatusMessage = ({ children }: { readonly children: ReactNode }): ReactNode => {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <p ref={place} tabIndex={-1} role="status" className="said">
      {children}
    </p>
  );
};
