import { type ReactNode, useState } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { CodeField, EmailField } from '../../design/fields.tsx';
import { Form, type Values } from '../../design/form.tsx';
import { Anchor, Group, Text } from '../../design/kit.tsx';
import { NewPasswordField } from '../../design/secret-fields.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import { MailNotice, type MailTransportKind } from '../auth/mail-sent.tsx';

/** The address and the code in the link of an e-mail. They are in the fragment, which is not sent to servers. */
const readLink = (): { readonly email: string | undefined; readonly code: string | undefined } => {
  const link = new URLSearchParams(location.hash.slice(1));
  return { email: link.get('email') ?? undefined, code: link.get('code') ?? undefined };
};

const getIntro = (email: string, isByLink: boolean, sent: MailTransportKind | undefined): string => {
  if (isByLink) return `Account: ${email}`;
  if (sent === 'OUTBOX') return `If ${email} has an account, an e-mail with a code and a link is in the outbox.`;
  return sent === 'SMTP'
    ? `If ${email} has an account, we sent it a code and a link.`
    : 'Enter the code from the e-mail or from your administrator.';
};

type SetNewProps = {
  readonly email: string;
  /** The code of the link; undefined where it must be entered. */
  readonly code: string | undefined;
  /** How the e-mail was sent; undefined where none was requested. */
  readonly sent: MailTransportKind | undefined;
  readonly onDone: () => void;
};

const SetNew = ({ email, code, sent, onDone }: SetNewProps): ReactNode => (
  <PublicPage title={sent === 'SMTP' ? 'Check your e-mail' : 'Set a new password'}>
    <Text>{getIntro(email, code !== undefined, sent)}</Text>
    <MailNotice transport={sent} />
    <Form
      submit="Set password"
      send={({ code: entered = '', new_password = '' }) =>
        client.request('resetPassword', { body: { email, code: code ?? entered, new_password } })
      }
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
  const [link] = useState(readLink);
  const [email, setEmail] = useState(link.email);
  const [sent, setSent] = useState<MailTransportKind>();
  const [hasCode, setHasCode] = useState(false);
  const [isDone, setDone] = useState(false);
  if (isDone)
    return (
      <PublicPage title="Password set">
        <Text>
          All your sessions have ended. <Anchor href="/sign-in">Sign in</Anchor> with the new password.
        </Text>
      </PublicPage>
    );
  if (email !== undefined) return <SetNew email={email} code={link.code} sent={sent} onDone={() => setDone(true)} />;
  const send = async (values: Values) => {
    if (hasCode) return { ok: true as const, body: values.email ?? '' };
    const answer = await client.request('startPasswordReset', { body: values as OperationBody<'startPasswordReset'> });
    if (!answer.ok) return answer;
    setSent(answer.body.mail_transport);
    return { ok: true as const, body: values.email ?? '' };
  };
  return (
    <PublicPage title="Forgot password">
      <Form<string>
        submit={hasCode ? 'Continue' : 'Send code'}
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
