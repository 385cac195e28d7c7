import { type ReactNode, useEffect, useState } from 'react';
import { getSession, type Session, signInFirst } from './api/session.ts';
import { Account } from './pages/account.tsx';
import { Cli } from './pages/cli.tsx';
import { SignIn } from './pages/sign-in.tsx';

type SignedInPage = (props: { readonly session: Session }) => ReactNode;

/** Pages by their path: for everybody, and for whoever is signed in. */
const OPEN: Readonly<Record<string, () => ReactNode>> = { '/sign-in': SignIn };
const SIGNED_IN: Readonly<Record<string, SignedInPage>> = { '/account': Account, '/cli': Cli };

const WithSession = ({ page: Shown }: { readonly page: SignedInPage }): ReactNode => {
  const [session, setSession] = useState<Session>();
  useEffect(() => {
    void getSession().then((answer) => (answer.ok ? setSession(answer.body) : signInFirst()));
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
