import { type ReactNode, useEffect, useRef, useState } from 'react';

type Announcement = {
  /** Announces what was done, and moves the focus there. */
  readonly announce: (text: string) => void;
  /** The line that shows it. */
  readonly announcement: ReactNode;
};

/** A status line for the results of buttons and dialogs that may be gone afterwards. */
export const useAnnouncement = (): Announcement => {
  const [said, setSaid] = useState({ text: '' });
  const line = useRef<HTMLParagraphElement>(null);
  // After the effects of a dialog that closes, which gives the focus back to its button.
  useEffect(() => {
    if (said.text !== '') line.current?.focus();
  }, [said]);
  const announcement = (
    <p ref={line} tabIndex={-1} role="status" className="said">
      {said.text}
    </p>
  );
  return { announce: (text) => setSaid({ text }), announcement };
};
