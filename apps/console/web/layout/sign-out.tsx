import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { call } from '../data/call.ts';

/** Leaves even where the service does not answer: the next page asks who is signed in. */
const signOut = async (): Promise<void> => {
  await call('POST', '/v1/auth/logout', {});
  location.assign('/sign-in');
};

/** The way out, on every page of whoever is signed in. */
export const SignOut = (): ReactNode => (
  <Button variant="subtle" size="compact-sm" onClick={() => void signOut()}>
    Sign out
  </Button>
);
