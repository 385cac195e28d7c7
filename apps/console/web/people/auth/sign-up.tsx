import { type ReactNode, useState } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { useOperation } from '../../data/use-operation.ts';
import { CodeField } from '../../design/fields.tsx';
import { Form, type Values } from '../../design/form.tsx';
import { Anchor, Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { HOME } from '../../layout/console-page.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import { FounderFields } from './founder-fields.tsx';
import { MailNotice, type MailTransportKind } from './mail-sent.tsx';

type Sent = { readonly values: Values; readonly mail_transport: MailTransportKind };

const Code = ({ sent: { values, mail_transport } }: { readonly sent: Sent }): ReactNode => {
  const { email = '', password = '' } = values;
  return (
    <PublicPage title={mail_transport === 'OUTBOX' ? 'Find your code' : 'Check your e-mail'}>
      <Text>
        Enter the six digits {mail_transport === 'OUTBOX' ? 'in the e-mail for' : 'that we sent to'} {email}. They expire in 10 minutes.
      </Text>
      <MailNotice transport={mail_transport} />
      <Form
        submit="Create organization"
        send={({ code = '' }) => client.request('verifySignup', { body: { email, code, password } })}
        then={() => location.assign(HOME)}
        fields={(error) => <CodeField error={error} name="code" label="Code" />}
      />
    </PublicPage>
  );
};

/** Creates an organization and its owner once the e-mail address is verified. First checks whether sign-up is open. */
export const SignUp = (): ReactNode => {
  const check = useOperation('checkSignup', { body: {} }, { isOnce: true });
  const [sent, setSent] = useState<Sent>();
  if (sent) return <Code sent={sent} />;
  const send = async (values: Values) => {
    const answer = await client.request('startSignup', { body: values as OperationBody<'startSignup'> });
    return answer.ok ? { ok: true as const, body: { mail_transport: answer.body.mail_transport, values } } : answer;
  };
  return (
    <PublicPage title="Sign up">
      <Problem error={check.error ?? undefined} />
      {check.isSuccess ? <Form submit="Send code" send={send} then={setSent} fields={(error) => <FounderFields error={error} />} /> : null}
      <Anchor href="/sign-in">Sign in</Anchor>
    </PublicPage>
  );
};
