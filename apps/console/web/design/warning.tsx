import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

type WarningProps = { readonly title: string; readonly children: ReactNode };

/** Something to know before going on. Its text has the page's own colours: Mantine's light yellow and orange have too little contrast. */
export const Warning = ({ title, children }: WarningProps): ReactNode => (
  <div role="note" className="callout warning">
    <TriangleAlert size={18} aria-hidden />
    <div>
      <strong>{title}</strong>
      <div>{children}</div>
    </div>
  </div>
);
