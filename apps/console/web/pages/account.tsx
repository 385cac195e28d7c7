import { Anchor, Button, Checkbox, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type ApiError, call } from '../api/call.ts';
import type { Session } from '../api/session.ts';
import { Frame } from '../frame/frame.tsx';
import { Problem } from '../frame/problem.tsx';

/** Who is signed in, and the way out. */
export const Account = ({ session: { user, organization } }: { readonly session: Session }): ReactNode => {
  const [terminals, setTerminals] = useState(false);
  const [error, setError] = useState<ApiError>();
  const signOut = async (): Promise<void> => {
    const answer = await call('POST', '/v1/auth/logout', { terminals });
    if (answer.ok) location.assign('/sign-in');
    else setError(answer.error);
  };
  return (
    <Frame title="You are signed in">
      <Text>
        {user?.name} ({user?.email}) in <strong>{organization.name}</strong>
      </Text>
      <Text>
        The <Anchor href="/docs">API page</Anchor> describes every call.
      </Text>
      <ul>
        <li>
          <Anchor href="/cli">Let a terminal in</Anchor> by the code it shows
        </li>
        <li>
          <Anchor href="/second-factor">Your second factors</Anchor>
        </li>
        <li>
          <Anchor href="/device-approvals">Sign-ins that wait for you</Anchor>
        </li>
      </ul>
      <Stack>
        <Problem error={error} />
        <Checkbox
          label="Sign out every terminal that I let in from this browser, too"
          checked={terminals}
          onChange={({ currentTarget }) => setTerminals(currentTarget.checked)}
        />
        <Button variant="default" onClick={() => void signOut()}>
          Sign out
        </Button>
      </Stack>
    </Frame>
  );
};
