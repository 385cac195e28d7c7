import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import type { Challenge, Session } from '../api/session.ts';
import { CodeField } from '../frame/fields.tsx';
import { Form } from '../frame/form.tsx';
import { Frame } from '../frame/frame.tsx';

type SecondFactorProps = { readonly challenge: Challenge; readonly onDone: () => void };

/** The step between a password and a session. */
export const SecondFactor = ({ challenge: { mfa_challenge }, onDone }: SecondFactorProps): ReactNode => (
  <Frame title="Second factor">
    <Text>Your password is right. Now prove that you have your second factor as well.</Text>
    <Form<Session>
      submit="Verify"
      send={({ code }) => call('POST', '/v1/auth/mfa/verify', { mfa_challenge, code })}
      then={onDone}
      fields={(error) => <CodeField error={error} label="Code" description="The six digits of your app, or one of your recovery codes." />}
    />
  </Frame>
);
