import type { ReactNode } from 'react';

/** Grey lines in the place of content that loads; shown only after a moment, so that fast pages do not flicker. */
export const Skeleton = ({ lines }: { readonly lines: number }): ReactNode => (
  <div className="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
      <span key={line} />
    ))}
  </div>
);
