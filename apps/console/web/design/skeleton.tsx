import { type ReactNode, useEffect, useState } from 'react';

/** After this time the page says that the service is slow. */
const SLOW_MS = 8_000;

/** Grey lines in the place of content that loads; shown only after a moment, so that fast pages do not flicker. */
export const Skeleton = ({ lines }: { readonly lines: number }): ReactNode => {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <span key={line} />
      ))}
      {isSlow ? <p>The service takes longer than usual.</p> : null}
    </div>
  );
};
