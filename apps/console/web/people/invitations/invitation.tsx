import type { OperationResult } from '@svc/client/client-types.ts';
import { ServiceError } from '@svc/client/errors.ts';
import { type ReactNode, useState } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { type Challenge, isChallenge } from '../../data/session.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { useOperation } from '../../data/use-operation.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Button, Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { NewPasswordField, PasswordField } from '../../design/secret-fields.tsx';
import { HOME } from '../../layout/console-page.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import { FactorStep } from '../auth/factor-step.tsx';

type Details = OperationResult<'readInvitation'>;

/** The code in the fragment, which is not sent to servers. */
const codeOfAddress = (): string => new URLSearchParams(location.hash.slice(1)).get('code') ?? '';

const INCOMPLETE = new ServiceError({
  code: 'GONE',
  message: 'This invitation link is incomplete.',
  remedy: 'Open the link in the e-mail again, or ask for a new invitation.',
});
const goOn = (): void => location.assign(HOME);

type AcceptProps = { readonly code: string; readonly details: Details; readonly onAnswer: (answer: object) => void };

const Accept = ({ code, details, onAnswer }: AcceptProps): ReactNode => (
  <Form
    submit="Join"
    send={(values) => client.request('acceptInvitation', { body: { code, ...values } as OperationBody<'acceptInvitation'> })}
    then={onAnswer}
    fields={(error) =>
      details.has_account ? (
        <PasswordField error={error} />
      ) : (
        <>
          <TextField error={error} name="name" label="Your name" autoComplete="name" />
          <NewPasswordField error={error} />
        </>
      )
    }
  />
);

const Join = ({ code }: { readonly code: string }): ReactNode => {
  const { run, error, isPending } = useMutation(() => client.request('joinOrganization', { body: { code } }), goOn);
  return (
    <>
      <Problem error={error} />
      <Button loading={isPending} onClick={() => void run(undefined)}>
        Join
      </Button>
    </>
  );
};

/** An invitation, for its recipient to accept. */
export const Invitation = (): ReactNode => {
  const [code] = useState(codeOfAddress);
  const session = useOperation('getSession', {}, { isOnce: true });
  const { data: details, error } = useOperation('readInvitation', { body: { code } }, { isEnabled: code !== '', isOnce: true });
  const [challenge, setChallenge] = useState<Challenge>();
  if (challenge) return <FactorStep challenge={challenge} onDone={goOn} />;
  const onAnswer = (answer: object): void => (isChallenge(answer) ? setChallenge(answer) : goOn());
  const isTheirs = details !== undefined && session.data?.user?.email === details.email;
  return (
    <PublicPage title="Invitation">
      <Problem error={code === '' ? INCOMPLETE : (error ?? undefined)} />
      {details && !session.isPending ? (
        <>
          <Text>
            {details.invited_by ?? 'An administrator'} invited {details.email} to <strong>{details.organization.name}</strong> as{' '}
            {details.role.name}.
          </Text>
          {isTheirs ? <Join code={code} /> : <Accept code={code} details={details} onAnswer={onAnswer} />}
        </>
      ) : null}
    </PublicPage>
  );
};
