import { Anchor, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type ApiError, call } from '../../data/call.ts';
import type { Session } from '../../data/session.ts';
import { CodeField } from '../../design/fields.tsx';
import type { Values } from '../../design/form.tsx';
import { Form } from '../../design/form.tsx';
import { Problem } from '../../design/problem.tsx';
import { HOME } from '../../layout/console-page.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import { FounderFields } from './founder-fields.tsx';
import { MailKept, type MailTransport } from './mail-sent.tsx';

type Started = { readonly mail_transport: MailTransport };
type Sent = Started & { readonly values: Values };

const Code = ({ sent: { values, mail_transport } }: { readonly sent: Sent }): ReactNode => (
  <PublicPage title={mail_transport === 'OUTBOX' ? 'Find your code' : 'Check your mail'}>
    <Text>
      Six digits {mail_transport === 'OUTBOX' ? 'wait for you in a mail to' : 'are on their way to'} {values.email}. They are good for ten
      minutes.
    </Text>
    <MailKept transport={mail_transport} />
    <Form<Session>
      submit="Make the organization"
      send={({ code }) => call('POST', '/v1/auth/signup/verify', { email: values.email, code, password: values.password })}
      then={() => location.assign(HOME)}
      fields={(error) => <CodeField error={error} name="code" label="Code" />}
    />
  </PublicPage>
);

/** Makes an organization and its owner, once the address is proved. Where nobody may, it says so before anything is asked. */
export const SignUp = (): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  const [closed, setClosed] = useState<ApiError>();
  const [sent, setSent] = useState<Sent>();
  useEffect(() => {
    void call('POST', '/v1/auth/signup/check', {}).then((answer) => (answer.ok ? setOpen(true) : setClosed(answer.error)));
  }, []);
  if (sent) return <Code sent={sent} />;
  const send = async (values: Values) => {
    const answer = await call<Started>('POST', '/v1/auth/signup/start', values);
    return answer.ok ? { ok: true as const, body: { ...answer.body, values } } : answer;
  };
  return (
    <PublicPage title="Sign up">
      <Problem error={closed} />
      {isOpen ? (
        <Form<Sent> submit="Send me a code" send={send} then={setSent} fields={(error) => <FounderFields error={error} />} />
      ) : null}
      <Anchor href="/sign-in">Sign in</Anchor>
    </PublicPage>
  );
};
