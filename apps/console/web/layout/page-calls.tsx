import { type ReactNode, useState } from 'react';
import { Dialog } from '../design/dialog.tsx';
import { lazyPart } from '../design/lazy-part.tsx';

const CallList = lazyPart(async () => (await import('./call-list.tsx')).CallList);

/** At the foot of each page: the requests that it shows, as text to copy. */
export const PageCalls = (): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  return (
    <footer className="page-foot">
      <button type="button" className="link-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        API and CLI
      </button>
      {isOpen ? (
        <Dialog title="API and CLI" onClose={() => setOpen(false)}>
          <CallList />
        </Dialog>
      ) : null}
    </footer>
  );
};
