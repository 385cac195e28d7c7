import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { client } from '../../data/client.ts';
import { getKnownSession, refreshSession } from '../../data/use-session.ts';
import { Button, Group, Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';

/** The steps of a person whose session ended while a page was open, and who continues in that page. */
export const SignInAgain = ({ onResumed }: { readonly onResumed: () => void }): ReactNode => {
  const [error, setError] = useState<ApiError>();
  const resume = async (): Promise<void> => {
    const before = getKnownSession();
    const answer = await client.request('getSession', {});
    if (!answer.ok) return setError(answer.error);
    const { user, organization } = answer.body;
    // The page holds what another person entered or may see.
    if (before?.user?.id !== user?.id || before?.organization.id !== organization.id) return location.reload();
    await refreshSession();
    onResumed();
  };
  return (
    <>
      <Text>Sign in again in another tab, then continue here. This page keeps what you entered.</Text>
      <Problem error={error} />
      <Group gap="xs" mt="md">
        <Button component="a" href={buildConsolePath('signIn')} target="_blank" rel="noopener">
          Sign in
        </Button>
        <Button variant="default" onClick={() => void resume()}>
          Continue
        </Button>
      </Group>
    </>
  );
};
