import type { ReactNode } from 'react';
import { AlertGlyph } from './glyphs.tsx';

type WarningProps = { readonly title: string; readonly children: ReactNode };

/** Something to know before going on. Its text has the page's own colours: Mantine's light yellow and orange have too little contrast. */
export const Warning = ({ title, children }: WarningProps): ReactNode => (
  <div role="note" className="callout warning">
    <AlertGlyph size={18} />
    <div>
      <strong>{title}</strong>
      <div>{children}</div>
    </div>
  </div>
);
