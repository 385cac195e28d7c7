import { Anchor, Button, Checkbox, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../../data/call.ts';
import { Listing } from '../../data/listing.tsx';
import type { Session } from '../../data/session.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Problem } from '../../design/problem.tsx';
import { ConsolePage, HOME } from '../../layout/console-page.tsx';

type Organization = {
  readonly id: string;
  readonly name: string;
  readonly role: { readonly name: string };
  readonly current: boolean;
};

/** A further session, in another organization; the page begins anew with what holds there. */
const Organizations = (): ReactNode => (
  <Listing<Organization> label="Organizations" path="/v1/auth/organizations" none="You belong to none.">
    {({ id, name, role, current }) => (
      <>
        <Text>
          <strong>{name}</strong> as {role.name}
          {current ? ', where you are now' : ''}
        </Text>
        {current ? null : (
          <ActionButton
            does="Switch"
            to={name}
            send={() => call('POST', '/v1/auth/switch', { organization_id: id })}
            then={() => location.assign(HOME)}
          />
        )}
      </>
    )}
  </Listing>
);

const SignOut = (): ReactNode => {
  const [terminals, setTerminals] = useState(false);
  const { run, error } = useMutation(
    () => call('POST', '/v1/auth/logout', { terminals }),
    () => location.assign('/sign-in'),
  );
  return (
    <Stack>
      <Problem error={error} />
      <Checkbox
        label="Sign out every terminal that I let in from this browser, too"
        checked={terminals}
        onChange={({ currentTarget }) => setTerminals(currentTarget.checked)}
      />
      <Button variant="default" onClick={() => void run(undefined)}>
        End this session
      </Button>
    </Stack>
  );
};

/** Who is signed in and where, and the way out. */
export const Profile = ({ session }: { readonly session: Session }): ReactNode => {
  const { user, organization } = session;
  return (
    <ConsolePage title="Profile">
      <Text>
        {user?.name} ({user?.email}) in <strong>{organization.name}</strong>
      </Text>
      <ul>
        <li>
          <Anchor href="/cli">Let a terminal in</Anchor> by the code it shows
        </li>
        <li>
          <Anchor href="/device-approvals">Sign-ins that wait for you</Anchor>
        </li>
        <li>
          The <Anchor href="/docs">API page</Anchor> describes every call
        </li>
      </ul>
      <Title order={2} size="h4">
        Your organizations
      </Title>
      <Organizations />
      <SignOut />
    </ConsolePage>
  );
};
