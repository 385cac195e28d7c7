import type { ReactNode } from 'react';

type EmptyStateProps = {
  /** Purpose of the list, in one sentence. */
  readonly children: ReactNode;
  /** The next step: a button or a link. */
  readonly action?: ReactNode;
};

/** In the place of a list without items. */
export const EmptyState = ({ children, action }: EmptyStateProps): ReactNode => (
  <div className="empty-state">
    <p>{children}</p>
    {action}
  </div>
);
