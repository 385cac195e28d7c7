import { type ReactNode, useEffect, useState } from 'react';
import { getSession, isFactorMissing, type Session, signInFirst } from './api/session.ts';
import { Account } from './pages/account.tsx';
import { Cli } from './pages/cli.tsx';
import { DeviceApprovals } from './pages/device-approvals.tsx';
import { Enrol } from './pages/enrol.tsx';
import { Invitation } from './pages/invitation.tsx';
import { ResetPassword } from './pages/reset-password.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { SignUp } from './pages/sign-up.tsx';

type SignedInPage = (props: { readonly session: Session }) => ReactNode;

/** Pages by their path: for everybody, and for whoever is signed in. */
const OPEN: Readonly<Record<string, () => ReactNode>> = {
  '/sign-in': SignIn,
  '/sign-up': SignUp,
  '/reset-password': ResetPassword,
  '/invitation': Invitation,
  '/second-factor': Enrol,
};
const SIGNED_IN: Readonly<Record<string, SignedInPage>> = { '/account': Account, '/cli': Cli, '/device-approvals': DeviceApprovals };

const WithSession = ({ page: Shown }: { readonly page: SignedInPage }): ReactNode => {
  const [session, setSession] = useState<Session>();
  useEffect(() => {
    void Promise.all([getSession(), isFactorMissing()]).then(([answer, isMissing]) => {
      if (!answer.ok) signInFirst();
      else if (isMissing) location.replace('/second-factor');
      else setSession(answer.body);
    });
  }, []);
  return session ? <Shown session={session} /> : null;
};

export const Page = (): ReactNode => {
  const { pathname } = location;
  const Open = OPEN[pathname];
  if (Open) return <Open />;
  const page = SIGNED_IN[pathname];
  return page ? <WithSession page={page} /> : null;
};
