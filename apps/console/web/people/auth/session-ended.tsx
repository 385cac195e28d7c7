import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { type ResumeSession, ResumeSessionContext } from '../../data/resume-session.ts';
import { Dialog } from '../../design/dialog.tsx';
import { lazyPart } from '../../design/lazy-part.tsx';

const SignInAgain = lazyPart(async () => (await import('./sign-in-again.tsx')).SignInAgain);

/** Gives every page below it a way to go on after the session ended. Requests that come while the dialog is open share it. */
export const ResumeSessionProvider = ({ children }: { readonly children: ReactNode }): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  const waiting = useRef<((isResumed: boolean) => void)[]>([]);
  const settle = useCallback((isResumed: boolean): void => {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(isResumed);
  }, []);
  const resumeSession = useMemo<ResumeSession>(
    () => () =>
      new Promise((resolve) => {
        waiting.current.push(resolve);
        setOpen(true);
      }),
    [],
  );
  return (
    <ResumeSessionContext value={resumeSession}>
      {children}
      {isOpen ? (
        <Dialog title="Your session ended" onClose={() => settle(false)}>
          <SignInAgain onResumed={() => settle(true)} />
        </Dialog>
      ) : null}
    </ResumeSessionContext>
  );
};
