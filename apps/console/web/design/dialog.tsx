import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { CloseGlyph } from './glyphs.tsx';

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/**
 * A modal dialog on the browser's own `<dialog>`: it traps focus, closes on Escape and returns focus where it was. Mantine's dialogs write an
 * inline style that the content security policy refuses.
 */
export const Dialog = ({ title, onClose, children }: DialogProps): ReactNode => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the effects of its content, which may move the focus.
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (shown && !shown.open) shown.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className="dialog-header">
        <h2 id={id} className="dialog-title">
          {title}
        </h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
          <CloseGlyph size={18} />
        </button>
      </header>
      {children}
    </dialog>
  );
};
