import type { OperationResult } from '@svc/client/client-types.ts';
import { ServiceError } from '@svc/client/errors.ts';
import { type ReactNode, useState } from 'react';
import type { ApiAnswer } from '../../data/answer.ts';
import { client } from '../../data/client.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { CodeField } from '../../design/fields.tsx';
import { Form, type Values } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import { type CliDecision, Decide } from './decide.tsx';

type CliRequest = OperationResult<'getCliRequest'>;

const RESULTS: Readonly<Record<CliDecision, readonly [title: string, text: string]>> = {
  approved: ['Terminal connected', 'Return to your terminal. You can close this window.'],
  denied: ['Terminal denied', 'If this wasn’t you, contact your administrator.'],
};

const CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{4}-?[BCDFGHJKLMNPQRSTVWXZ]{4}$/i;
const NO_CODE = new ServiceError({
  code: 'NOT_FOUND',
  message: 'The code is invalid.',
  remedy: 'A code has eight consonants, for example BCDF-GHJK.',
});

const find = async ({ user_code = '' }: Values): Promise<ApiAnswer<CliRequest>> => {
  const code = user_code.trim();
  return CODE.test(code) ? client.request('findCliRequest', { query: { user_code: code } }) : { ok: false, error: NO_CODE };
};

const EnterCode = ({ onFound }: { readonly onFound: (request: CliRequest) => void }): ReactNode => (
  <PublicPage title="Connect a terminal">
    <Text>Enter the code that your own terminal shows. Never enter a code that someone sent you: they could then act as you.</Text>
    <Form
      submit="Continue"
      send={find}
      then={onFound}
      fields={(error) => <CodeField error={error} name="user_code" label="Code" description="Eight letters, for example BCDF-GHJK." />}
    />
  </PublicPage>
);

/** The request of a terminal, for the person who is signed in to allow or deny. */
export const Cli = ({ session }: { readonly session: Session }): ReactNode => {
  const id = new URLSearchParams(location.search).get('request_id') ?? '';
  const { data, error } = useOperation('getCliRequest', { params: { requestId: id } }, { isEnabled: id !== '', isOnce: true });
  const [found, setFound] = useState<CliRequest>();
  const [decision, setDecision] = useState<CliDecision>();
  if (decision) {
    const [title, text] = RESULTS[decision];
    return (
      <PublicPage title={title}>
        <Text>{text}</Text>
      </PublicPage>
    );
  }
  const request = data ?? found;
  if (request) return <Decide request={request} session={session} onDecided={setDecision} />;
  if (id === '') return <EnterCode onFound={setFound} />;
  return <PublicPage title="Connect a terminal">{error ? <Problem error={error} /> : <Skeleton lines={4} />}</PublicPage>;
};
