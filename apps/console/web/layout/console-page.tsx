import { Anchor, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Place, placesOf } from './permitted.ts';
import type { Session } from '../data/session.ts';
import { Frame } from './public-page.tsx';
import { SignOut } from './sign-out.tsx';

/** It has a way out of its own, which takes terminals along. */
const ACCOUNT = '/account';

type RowProps = { readonly label: string; readonly places: readonly Place[]; readonly children?: ReactNode };

const Row = ({ label, places, children }: RowProps): ReactNode => (
  <Group role="group" aria-label={label} gap="0.25rem 0.75rem">
    {places.map(({ path, name }) => (
      <Anchor key={path} href={path} size="sm" aria-current={path === location.pathname ? 'page' : undefined}>
        {name}
      </Anchor>
    ))}
    {children}
  </Group>
);

type SignedInProps = { readonly session: Session; readonly title: string; readonly children: ReactNode };

/** A page of whoever is signed in, with the way to the others: those of the organization, and below them one's own. */
export const SignedIn = ({ session, title, children }: SignedInProps): ReactNode => {
  const { ofOrganization, own } = placesOf(session);
  return (
    <Frame
      title={title}
      nav={
        <Stack component="nav" aria-label="Pages" gap="xs" mb="sm">
          {ofOrganization.length === 0 ? null : <Row label={session.organization.name} places={ofOrganization} />}
          <Row label="Yours" places={own}>
            {location.pathname === ACCOUNT ? null : <SignOut />}
          </Row>
        </Stack>
      }
    >
      {children}
    </Frame>
  );
};
