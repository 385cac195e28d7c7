import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Form } from '../../design/form.tsx';
import { Anchor, Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { PublicPage } from '../../layout/public-page.tsx';
import { FounderFields } from '../auth/founder-fields.tsx';
import { createOrganization, type Founded } from './found.ts';
import { Next } from './next.tsx';

/** The token in the fragment of the link, which is not sent to servers. */
const tokenOfAddress = (): string => new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

const Closed = ({ error }: { readonly error: ApiError }): ReactNode => (
  <PublicPage title={error.code === 'GONE' ? 'This set-up link is no longer valid' : 'Set-up link'}>
    <Problem error={error} />
    <Text>
      If you have an account, <Anchor href="/sign-in">sign in</Anchor>. Programs use <code>POST /v1/auth/login</code>: see the{' '}
      <Anchor href="/docs">API reference</Anchor>.
    </Text>
  </PublicPage>
);

/** The page of the one-time link of a first start: creates the first organization and its owner. */
export const Setup = (): ReactNode => {
  const [token] = useState(tokenOfAddress);
  const [founded, setFounded] = useState<Founded>();
  const check = useOperation('checkSignup', { body: { setup_token: token } }, { isOnce: true });
  if (founded) return <Next founded={founded} />;
  if (check.error) return <Closed error={check.error} />;
  if (!check.isSuccess)
    return (
      <PublicPage title="Set-up link">
        <Skeleton lines={4} />
      </PublicPage>
    );
  return (
    <PublicPage title="Create your organization">
      <Text>Create your organization and your account. You become the owner.</Text>
      <Form
        submit="Create organization"
        send={(values) => createOrganization(values, token)}
        then={setFounded}
        fields={(fault) => <FounderFields error={fault} />}
      />
    </PublicPage>
  );
};
