import { Anchor, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type ApiError, call } from '../../data/call.ts';
import { Form } from '../../design/form.tsx';
import { Problem } from '../../design/problem.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import { FounderFields } from '../auth/founder-fields.tsx';
import { type Founded, found } from './found.ts';
import { Next } from './next.tsx';

/** It stands behind the `#` of the link, which no server is told. */
const tokenOfAddress = (): string => new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

const Over = ({ error }: { readonly error: ApiError }): ReactNode => (
  <PublicPage title={error.code === 'GONE' ? 'This set-up link is no longer valid' : 'Set up'}>
    <Problem error={error} />
    <Text>
      Whoever has an account <Anchor href="/sign-in">signs in</Anchor>; programs do with <code>POST /v1/auth/login</code>, which the{' '}
      <Anchor href="/docs">API page</Anchor> describes.
    </Text>
  </PublicPage>
);

/** Behind the one-time link of a first start: makes the first organization and its owner. */
export const Setup = (): ReactNode => {
  const [token] = useState(tokenOfAddress);
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [founded, setFounded] = useState<Founded>();
  useEffect(() => {
    void call('POST', '/v1/auth/signup/check', { setup_token: token }).then((answer) =>
      answer.ok ? setOpen(true) : setError(answer.error),
    );
  }, [token]);
  if (founded) return <Next founded={founded} />;
  if (error) return <Over error={error} />;
  if (!isOpen) return null;
  return (
    <PublicPage title="Set up">
      <Text>This makes your organization and you its owner. Nothing else is made: you decide what comes next.</Text>
      <Form<Founded>
        submit="Create the organization"
        send={(values) => found(values, token)}
        then={setFounded}
        fields={(fault) => <FounderFields error={fault} />}
      />
    </PublicPage>
  );
};
