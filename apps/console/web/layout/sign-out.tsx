import type { ReactNode } from 'react';
import { client } from '../data/client.ts';
import { Button } from '../design/kit.tsx';

/** Leaves the page also if the service does not respond: the next page checks who is signed in. */
export const signOut = async (): Promise<void> => {
  await client.request('logout', { body: {} });
  location.assign('/sign-in');
};

/** Ends the session. On every page of a signed-in person. */
export const SignOut = (): ReactNode => (
  <Button variant="subtle" size="compact-sm" onClick={() => void signOut()}>
    Sign out
  </Button>
);
