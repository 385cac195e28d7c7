import { Container } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { ApiError } from './api/call.ts';
import { closedTo, type Place } from './api/places.ts';
import { getSession, isFactorMissing, type Session, signInFirst } from './api/session.ts';
import { Frame } from './frame/frame.tsx';
import { Problem } from './frame/problem.tsx';
import { SignOut } from './frame/sign-out.tsx';
import { SignedIn } from './frame/signed-in.tsx';

type OpenPage = () => ReactNode;
type SignedInPage = (props: { readonly session: Session }) => ReactNode;

/** Pages by their path, each loaded when it is asked for: for everybody, and for whoever is signed in. */
const OPEN: Readonly<Record<string, () => Promise<OpenPage>>> = {
  '/sign-in': async () => (await import('./pages/sign-in.tsx')).SignIn,
  '/sign-up': async () => (await import('./pages/sign-up.tsx')).SignUp,
  '/setup': async () => (await import('./pages/setup.tsx')).Setup,
  '/reset-password': async () => (await import('./pages/reset-password.tsx')).ResetPassword,
  '/invitation': async () => (await import('./pages/invitation.tsx')).Invitation,
  '/second-factor': async () => (await import('./pages/second-factor.tsx')).SecondFactor,
};
const SIGNED_IN: Readonly<Record<string, () => Promise<SignedInPage>>> = {
  '/account': async () => (await import('./pages/account.tsx')).Account,
  '/approvals': async () => (await import('./pages/approvals.tsx')).Approvals,
  '/audit': async () => (await import('./pages/audit.tsx')).Audit,
  '/cli': async () => (await import('./pages/cli.tsx')).Cli,
  '/compliance': async () => (await import('./pages/compliance.tsx')).Compliance,
  '/credentials': async () => (await import('./pages/credentials.tsx')).Credentials,
  '/device-approvals': async () => (await import('./pages/device-approvals.tsx')).DeviceApprovals,
  '/identities': async () => (await import('./pages/identities.tsx')).Identities,
  '/members': async () => (await import('./pages/members.tsx')).Members,
  '/notification-channels': async () => (await import('./pages/notification-channels.tsx')).NotificationChannels,
  '/notifications': async () => (await import('./pages/notifications.tsx')).Notifications,
  '/password': async () => (await import('./pages/password.tsx')).Password,
  '/sessions': async () => (await import('./pages/sessions.tsx')).Sessions,
  '/webhooks': async () => (await import('./pages/webhooks.tsx')).Webhooks,
};

/** Pages that ask for one decision and show no way to the others. */
const BARE: ReadonlySet<string> = new Set(['/cli', '/device-approvals']);

const NOT_LOADED: ApiError = {
  code: 'NOT_LOADED',
  message: 'This page did not load whole.',
  remedy: 'Load it again; the service may have been replaced by a newer version meanwhile.',
};

/** Undefined where somebody is sent elsewhere first. */
const sessionOrElsewhere = async (): Promise<Session | undefined> => {
  const [answer, isMissing] = await Promise.all([getSession(), isFactorMissing()]);
  if (!answer.ok) signInFirst();
  else if (isMissing) location.replace('/second-factor');
  else return answer.body;
  return undefined;
};

/** In the place of a page of which somebody could use nothing: which permission it takes. */
const Closed = ({ session, place: { name, needs } }: { readonly session: Session; readonly place: Place }): ReactNode => (
  <SignedIn session={session} title={name}>
    <Problem
      error={{
        code: 'PERMISSION_DENIED',
        message: `Your role does not let you see ${name.toLowerCase()}.`,
        remedy: 'Whoever manages the members of your organization can give you another role.',
        details: { permission: needs },
      }}
    />
  </SignedIn>
);

/** What is shown at a path, once it and what it needs to know are there. */
const shownAt = async (path: string): Promise<ReactNode> => {
  const loadOpen = OPEN[path];
  if (loadOpen) {
    const Open = await loadOpen();
    return <Open />;
  }
  const loadSignedIn = SIGNED_IN[path];
  if (!loadSignedIn) return null;
  const [Shown, session] = await Promise.all([loadSignedIn(), sessionOrElsewhere()]);
  if (!session) return null;
  const closed = closedTo(session, path);
  if (closed) return <Closed session={session} place={closed} />;
  return (
    <>
      <Shown session={session} />
      {BARE.has(path) ? (
        <Container component="footer" size="xs">
          <SignOut />
        </Container>
      ) : null}
    </>
  );
};

export const Page = (): ReactNode => {
  const [shown, setShown] = useState<ReactNode>(null);
  useEffect(() => {
    const fail = (): void =>
      setShown(
        <Frame title="Not loaded">
          <Problem error={NOT_LOADED} />
        </Frame>,
      );
    shownAt(location.pathname).then(setShown, fail);
  }, []);
  return shown;
};
