import { Anchor, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { CodeField, EmailField, NewPasswordField } from '../frame/fields.tsx';
import { Form } from '../frame/form.tsx';
import { Frame } from '../frame/frame.tsx';
import type { Values } from '../frame/plain-form.tsx';

type SetNewProps = { readonly email: string; readonly wasSent: boolean; readonly onDone: () => void };

const SetNew = ({ email, wasSent, onDone }: SetNewProps): ReactNode => (
  <Frame title={wasSent ? 'Look into your mail' : 'Set a new password'}>
    <Text>
      {wasSent
        ? `If ${email} has an account, six digits are on their way to it.`
        : 'The code is the one that a mail or whoever operates the service gave you.'}
    </Text>
    <Form
      submit="Set the password"
      send={({ code, new_password }) => call('POST', '/v1/auth/password/reset', { email, code, new_password })}
      then={onDone}
      fields={(error) => (
        <>
          <CodeField error={error} name="code" label="Code" />
          <NewPasswordField error={error} name="new_password" />
        </>
      )}
    />
  </Frame>
);

export const ResetPassword = (): ReactNode => {
  const [email, setEmail] = useState<string>();
  const [hasCode, setHasCode] = useState(false);
  const [isDone, setDone] = useState(false);
  if (isDone)
    return (
      <Frame title="The password is set">
        <Text>
          Every session of yours has ended. <Anchor href="/sign-in">Sign in</Anchor> with the new password.
        </Text>
      </Frame>
    );
  if (email !== undefined) return <SetNew email={email} wasSent={!hasCode} onDone={() => setDone(true)} />;
  const send = async (values: Values) => {
    if (hasCode) return { ok: true as const, body: values.email ?? '' };
    const answer = await call('POST', '/v1/auth/password/reset/start', values);
    return answer.ok ? { ok: true as const, body: values.email ?? '' } : answer;
  };
  return (
    <Frame title="Forgotten password">
      <Form<string>
        submit={hasCode ? 'Go on' : 'Send me a code'}
        send={send}
        then={setEmail}
        fields={(error) => <EmailField error={error} />}
      />
      <Group justify="space-between">
        <Anchor href="/sign-in">Sign in</Anchor>
        <Anchor component="button" type="button" onClick={() => setHasCode(!hasCode)}>
          {hasCode ? 'I need a code' : 'I have a code'}
        </Anchor>
      </Group>
    </Frame>
  );
};
