import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { Button } from './kit.tsx';

type DialogButtonProps = {
  /** Label of the button: what the dialog is for, verb first. */
  readonly label: string;
  /** The object, for people who hear the button without its row. */
  readonly to?: string;
  readonly isPrimary?: boolean;
  /** For what takes something away or refuses it. */
  readonly isDanger?: boolean;
  /** Title of the dialog where it differs from the label. */
  readonly title?: string;
  readonly children: (close: () => void) => ReactNode;
};

/** A button that opens a dialog with a form or with details. */
export const DialogButton = ({ label, to, isPrimary = false, isDanger = false, title, children }: DialogButtonProps): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const name = to === undefined ? label : `${label}: ${to}`;
  return (
    <>
      <Button
        size={isPrimary || isDanger ? 'sm' : 'xs'}
        variant={isPrimary ? 'filled' : isDanger ? 'outline' : 'default'}
        {...(isDanger ? { className: 'danger' } : {})}
        aria-label={name}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen ? (
        <Dialog title={title ?? name} onClose={close}>
          {children(close)}
        </Dialog>
      ) : null}
    </>
  );
};
