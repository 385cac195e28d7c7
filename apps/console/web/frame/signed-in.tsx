import { Anchor, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { placesOf } from '../api/places.ts';
import type { Session } from '../api/session.ts';
import { Frame } from './frame.tsx';
import { SignOut } from './sign-out.tsx';

/** It has a way out of its own, which takes terminals along. */
const ACCOUNT = '/account';

type SignedInProps = { readonly session: Session; readonly title: string; readonly children: ReactNode };

/** A page of whoever is signed in, with the way to the others. */
export const SignedIn = ({ session, title, children }: SignedInProps): ReactNode => (
  <Frame
    title={title}
    nav={
      <Group component="nav" aria-label="Pages" gap="sm" mb="sm">
        {placesOf(session).map(({ path, name }) => (
          <Anchor key={path} href={path} size="sm" aria-current={path === location.pathname ? 'page' : undefined}>
            {name}
          </Anchor>
        ))}
        {location.pathname === ACCOUNT ? null : <SignOut />}
      </Group>
    }
  >
    {children}
  </Frame>
);
