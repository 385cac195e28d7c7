import { Text } from '@mantine/core';
import { ServiceError } from '@svc/client/errors.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { type Answer, type ApiError, call } from '../../data/call.ts';
import type { Session } from '../../data/session.ts';
import { CodeField } from '../../design/fields.tsx';
import type { Values } from '../../design/form.tsx';
import { Form } from '../../design/form.tsx';
import { Problem } from '../../design/problem.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import type { CliRequest } from './cli-request.ts';
import { Decide, type Decided } from './decide.tsx';

const SAYS: Readonly<Record<Decided, readonly [title: string, text: string]>> = {
  approved: ['The terminal is signed in', 'Go back to it; this window can be closed.'],
  denied: ['The terminal was refused', 'It gets no session. If you did not begin this, somebody else tried to: tell your administrator.'],
};

const CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{4}-?[BCDFGHJKLMNPQRSTVWXZ]{4}$/i;
const NO_CODE = new ServiceError({
  code: 'NOT_FOUND',
  message: 'No terminal shows such a code.',
  remedy: 'It is eight letters, none of them a vowel, such as BCDF-GHJK.',
});

const find = async ({ user_code = '' }: Values): Promise<Answer<CliRequest>> => {
  const code = user_code.trim();
  if (!CODE.test(code)) return { ok: false, error: NO_CODE };
  return call('GET', `/v1/auth/cli/requests?${new URLSearchParams({ user_code: code })}`);
};

const EnterCode = ({ onFound }: { readonly onFound: (request: CliRequest) => void }): ReactNode => (
  <PublicPage title="Let a terminal in">
    <Text>Type the code that your own terminal shows. A code that somebody sent you lets that person act as you.</Text>
    <Form<CliRequest>
      submit="Continue"
      send={find}
      then={onFound}
      fields={(error) => <CodeField error={error} name="user_code" label="Code" description="Eight letters, such as BCDF-GHJK." />}
    />
  </PublicPage>
);

/** What a terminal asks, for whoever is signed in to agree to or to refuse. */
export const Cli = ({ session }: { readonly session: Session }): ReactNode => {
  const id = new URLSearchParams(location.search).get('request_id');
  const [request, setRequest] = useState<CliRequest>();
  const [error, setError] = useState<ApiError>();
  const [decided, setDecided] = useState<Decided>();
  useEffect(() => {
    if (id === null) return;
    void call<CliRequest>('GET', `/v1/auth/cli/requests/${encodeURIComponent(id)}`).then((answer) =>
      answer.ok ? setRequest(answer.body) : setError(answer.error),
    );
  }, [id]);
  if (decided) {
    const [title, text] = SAYS[decided];
    return (
      <PublicPage title={title}>
        <Text>{text}</Text>
      </PublicPage>
    );
  }
  if (request) return <Decide request={request} session={session} onDecided={setDecided} />;
  if (id === null) return <EnterCode onFound={setRequest} />;
  return (
    <PublicPage title="Let a terminal in">
      {error ? <Problem error={error} /> : <Text>Looking for what the terminal asks.</Text>}
    </PublicPage>
  );
};
