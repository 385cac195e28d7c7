import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { call } from '../../data/call.ts';
import { Listing } from '../../data/listing.tsx';
import type { Session } from '../../data/session.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Link } from './link.tsx';

type Identity = {
  readonly id: string;
  readonly connection_name: string;
  readonly issuer: string;
  readonly subject: string;
  readonly created_at: string;
};

/** The identities at providers by which somebody signs in to this organization. */
export const Identities = ({ session }: { readonly session: Session }): ReactNode => (
  <ConsolePage title="Linked identities">
    <Text>
      With each of these you sign in to <strong>{session.organization.name}</strong> without your password here.
    </Text>
    <Listing<Identity> label="Linked identities" path="/v1/auth/identities" none="No identity is linked yet.">
      {({ id, connection_name, issuer, subject, created_at }, done) => (
        <>
          <Text fw={600}>{connection_name}</Text>
          <Facts
            facts={[
              ['Provider', issuer],
              ['Your id there', subject],
              ['Linked', <Time key="linked" at={created_at} />],
            ]}
          />
          <ActionButton
            does="Unlink"
            to={connection_name}
            means="You no longer sign in by it, and the sessions that it opened end. This may be the one you are in."
            send={() => call('DELETE', `/v1/auth/identities/${id}`)}
            then={() => done('The identity is unlinked.')}
          />
        </>
      )}
    </Listing>
    <Title order={2} size="h4">
      Link another sign-in
    </Title>
    <Link session={session} />
  </ConsolePage>
);
