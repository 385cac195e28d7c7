import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { type ConfirmIdentity, StepUpContext } from '../../data/step-up.ts';
import { Dialog } from '../../design/dialog.tsx';
import { lazyPart } from '../../design/lazy-part.tsx';

const StepUp = lazyPart(async () => (await import('./step-up.tsx')).StepUp, { hasInputs: true });

/** Gives every page below it a way to have the person confirm their identity. Requests that come while the dialog is open share it. */
export const StepUpProvider = ({ children }: { readonly children: ReactNode }): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  const waiting = useRef<((isConfirmed: boolean) => void)[]>([]);
  const settle = useCallback((isConfirmed: boolean): void => {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(isConfirmed);
  }, []);
  const confirmIdentity = useMemo<ConfirmIdentity>(
    () => () =>
      new Promise((resolve) => {
        waiting.current.push(resolve);
        setOpen(true);
      }),
    [],
  );
  return (
    <StepUpContext value={confirmIdentity}>
      {children}
      {isOpen ? (
        <Dialog title="Confirm it’s you" onClose={() => settle(false)}>
          <StepUp onDone={() => settle(true)} onCancel={() => settle(false)} />
        </Dialog>
      ) : null}
    </StepUpContext>
  );
};
