import { Anchor, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import type { Session } from '../api/session.ts';
import { CodeField, EmailField, NewPasswordField, TextField } from '../frame/fields.tsx';
import { Form, type Values } from '../frame/form.tsx';
import { Frame } from '../frame/frame.tsx';

const Code = ({ values: { email, password } }: { readonly values: Values }): ReactNode => (
  <Frame title="Look into your mail">
    <Text>We sent six digits to {email}. They are good for ten minutes.</Text>
    <Form<Session>
      submit="Make the organization"
      send={({ code }) => call('POST', '/v1/auth/signup/verify', { email, code, password })}
      then={() => location.assign('/account')}
      fields={(error) => <CodeField error={error} name="code" label="Code" />}
    />
  </Frame>
);

/** Makes an organization and its owner, once the address is proved. */
export const SignUp = (): ReactNode => {
  const [sent, setSent] = useState<Values>();
  if (sent) return <Code values={sent} />;
  const send = async (values: Values) => {
    const answer = await call('POST', '/v1/auth/signup/start', values);
    return answer.ok ? { ok: true as const, body: values } : answer;
  };
  return (
    <Frame title="Sign up">
      <Form<Values>
        submit="Send me a code"
        send={send}
        then={setSent}
        fields={(error) => (
          <>
            <TextField error={error} name="organizationName" label="Organization" autoComplete="organization" />
            <TextField error={error} name="name" label="Your name" autoComplete="name" />
            <EmailField error={error} />
            <NewPasswordField error={error} />
          </>
        )}
      />
      <Anchor href="/sign-in">Sign in</Anchor>
    </Frame>
  );
};
