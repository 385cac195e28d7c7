import { Button, Group, Text } from '@mantine/core';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { client } from '../../data/client.ts';
import { type ResumeSession, ResumeSessionContext } from '../../data/resume-session.ts';
import { getKnownSession, refreshSession } from '../../data/use-session.ts';
import { Dialog } from '../../design/dialog.tsx';
import { Problem } from '../../design/problem.tsx';

type SessionEndedProps = { readonly onResumed: () => void; readonly onLeave: () => void };

const SessionEnded = ({ onResumed, onLeave }: SessionEndedProps): ReactNode => {
  const [error, setError] = useState<ApiError>();
  const resume = async (): Promise<void> => {
    const before = getKnownSession();
    const answer = await client.request('getSession', {});
    if (!answer.ok) return setError(answer.error);
    const { user, organization } = answer.body;
    // The page holds what another person entered or may see.
    if (before?.user?.id !== user?.id || before?.organization.id !== organization.id) return location.reload();
    await refreshSession();
    onResumed();
  };
  return (
    <Dialog title="Your session ended" onClose={onLeave}>
      <Text>Sign in again in another tab, then continue here. This page keeps what you entered.</Text>
      <Problem error={error} />
      <Group gap="xs" mt="md">
        <Button component="a" href={buildConsolePath('signIn')} target="_blank" rel="noopener">
          Sign in
        </Button>
        <Button variant="default" onClick={() => void resume()}>
          Continue
        </Button>
      </Group>
    </Dialog>
  );
};

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
      {isOpen ? <SessionEnded onResumed={() => settle(true)} onLeave={() => settle(false)} /> : null}
    </ResumeSessionContext>
  );
};
