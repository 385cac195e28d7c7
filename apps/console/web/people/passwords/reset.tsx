import { Anchor, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../../data/call.ts';
import { CodeField, EmailField, NewPasswordField } from '../../design/fields.tsx';
import type { Values } from '../../design/form.tsx';
import { Form } from '../../design/form.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import { MailKept, type MailTransport } from '../auth/mail-sent.tsx';

/** What the link of a mail brings, behind the `#`, so that no server on the way writes it down. */
const broughtByLink = (): { readonly email: string | undefined; readonly code: string | undefined } => {
  const brought = new URLSearchParams(location.hash.slice(1));
  return { email: brought.get('email') ?? undefined, code: brought.get('code') ?? undefined };
};

const saidOf = (email: string, isByLink: boolean, sent: MailTransport | undefined): string => {
  if (isByLink) return `For the account of ${email}.`;
  if (sent === 'OUTBOX') return `If ${email} has an account, a mail to it holds six digits and a link.`;
  return sent === 'SMTP'
    ? `If ${email} has an account, six digits and a link are on their way to it.`
    : 'The code is the one that a mail or whoever operates the service gave you.';
};

type SetNewProps = {
  readonly email: string;
  /** Of the link that was opened; undefined where it is to be typed. */
  readonly code: string | undefined;
  /** How the mail of the code went; undefined where none was asked for. */
  readonly sent: MailTransport | undefined;
  readonly onDone: () => void;
};

const SetNew = ({ email, code, sent, onDone }: SetNewProps): ReactNode => (
  <PublicPage title={sent === 'SMTP' ? 'Check your mail' : 'Set a new password'}>
    <Text>{saidOf(email, code !== undefined, sent)}</Text>
    <MailKept transport={sent} />
    <Form
      submit="Set the password"
      send={(values) => call('POST', '/v1/auth/password/reset', { email, code: code ?? values.code, new_password: values.new_password })}
      then={onDone}
      fields={(error) => (
        <>
          {code === undefined ? <CodeField error={error} name="code" label="Code" /> : null}
          <NewPasswordField error={error} name="new_password" />
        </>
      )}
    />
  </PublicPage>
);

export const ResetPassword = (): ReactNode => {
  const [brought] = useState(broughtByLink);
  const [email, setEmail] = useState(brought.email);
  const [sent, setSent] = useState<MailTransport>();
  const [hasCode, setHasCode] = useState(false);
  const [isDone, setDone] = useState(false);
  if (isDone)
    return (
      <PublicPage title="The password is set">
        <Text>
          Every session of yours has ended. <Anchor href="/sign-in">Sign in</Anchor> with the new password.
        </Text>
      </PublicPage>
    );
  if (email !== undefined) return <SetNew email={email} code={brought.code} sent={sent} onDone={() => setDone(true)} />;
  const send = async (values: Values) => {
    if (hasCode) return { ok: true as const, body: values.email ?? '' };
    const answer = await call<{ readonly mail_transport: MailTransport }>('POST', '/v1/auth/password/reset/start', values);
    if (!answer.ok) return answer;
    setSent(answer.body.mail_transport);
    return { ok: true as const, body: values.email ?? '' };
  };
  return (
    <PublicPage title="Forgotten password">
      <Form<string>
        submit={hasCode ? 'Continue' : 'Send me a code'}
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
    </PublicPage>
  );
};
