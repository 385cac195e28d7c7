import { type ReactNode, useId } from 'react';

type PanelProps = { readonly title: string; readonly id?: string; readonly actions?: ReactNode; readonly children: ReactNode };

/** A part of a page with a heading of its own. */
export const Panel = ({ title, id, actions, children }: PanelProps): ReactNode => {
  const own = useId();
  const heading = id ?? own;
  return (
    <section className="panel" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
};
