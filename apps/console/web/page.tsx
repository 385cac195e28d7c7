import { Container } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { ApiError } from './data/call.ts';
import { closedTo, type Place } from './layout/permitted.ts';
import { getSession, isFactorMissing, type Session, signInFirst } from './data/session.ts';
import { Frame } from './layout/public-page.tsx';
import { Problem } from './design/problem.tsx';
import { SignOut } from './layout/sign-out.tsx';
import { SignedIn } from './layout/console-page.tsx';

type OpenPage = () => ReactNode;
type SignedInPage = (props: { readonly session: Session }) => ReactNode;

/** Pages by their path, each loaded when it is asked for: for everybody, and for whoever is signed in. */
const OPEN: Readonly<Record<string, () => Promise<OpenPage>>> = {
  '/sign-in': async () => (await import('./people/auth/sign-in.tsx')).SignIn,
  '/sign-up': async () => (await import('./people/auth/sign-up.tsx')).SignUp,
  '/setup': async () => (await import('./people/setup/setup.tsx')).Setup,
  '/reset-password': async () => (await import('./people/passwords/reset.tsx')).ResetPassword,
  '/invitation': async () => (await import('./people/invitations/invitation.tsx')).Invitation,
  '/second-factor': async () => (await import('./people/second-factors/list.tsx')).SecondFactor,
};
const SIGNED_IN: Readonly<Record<string, () => Promise<SignedInPage>>> = {
  '/account': async () => (await import('./people/profile/profile.tsx')).Account,
  '/approvals': async () => (await import('./actions/approvals/list.tsx')).Approvals,
  '/audit': async () => (await import('./events/audit-events/list.tsx')).Audit,
  '/cli': async () => (await import('./people/cli/cli.tsx')).Cli,
  '/compliance': async () => (await import('./events/compliance/report.tsx')).Compliance,
  '/credentials': async () => (await import('./credentials/credentials/list.tsx')).Credentials,
  '/device-approvals': async () => (await import('./people/device-approvals/list.tsx')).DeviceApprovals,
  '/identities': async () => (await import('./people/sso/identities.tsx')).Identities,
  '/members': async () => (await import('./people/members/list.tsx')).Members,
  '/notification-channels': async () => (await import('./events/notification-channels/list.tsx')).NotificationChannels,
  '/notifications': async () => (await import('./events/notifications/inbox.tsx')).Notifications,
  '/password': async () => (await import('./people/passwords/change.tsx')).Password,
  '/sessions': async () => (await import('./people/sessions/list.tsx')).Sessions,
  '/webhooks': async () => (await import('./events/webhooks/list.tsx')).Webhooks,
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
