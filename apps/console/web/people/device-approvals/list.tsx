import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { type ApiError, call } from '../../data/call.ts';
import { CodeField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Problem } from '../../design/problem.tsx';
import { Time } from '../../design/time.tsx';
import { PublicPage } from '../../layout/public-page.tsx';

type Waiting = { readonly id: string; readonly source_ip: string; readonly user_agent: string | null; readonly created_at: string };

type OneProps = { readonly waiting: Waiting; readonly onDecided: () => void };

const One = ({ waiting, onDecided }: OneProps): ReactNode => {
  const [error, setError] = useState<ApiError>();
  const path = `/v1/auth/mfa/device-approvals/${waiting.id}`;
  const deny = async (): Promise<void> => {
    const answer = await call('POST', `${path}/deny`, {});
    if (answer.ok) onDecided();
    else setError(answer.error);
  };
  return (
    <section aria-label={`Sign-in from ${waiting.source_ip}`}>
      <Text>
        From {waiting.source_ip} at <Time at={waiting.created_at} />, by <bdi>{waiting.user_agent ?? 'what tells nothing'}</bdi>
      </Text>
      <Problem error={error} />
      <Form
        submit="Allow"
        send={({ number }) => call('POST', `${path}/approve`, { number: Number(number) })}
        then={onDecided}
        fields={(fault) => <CodeField error={fault} name="number" label="Number" description="The two digits that the sign-in shows." />}
      />
      <Button variant="default" mt="sm" onClick={() => void deny()}>
        Refuse
      </Button>
    </section>
  );
};

/** Sign-ins as the same person that wait for this browser's word. */
export const DeviceApprovals = (): ReactNode => {
  const [all, setAll] = useState<readonly Waiting[]>();
  const [error, setError] = useState<ApiError>();
  const look = useCallback(async (): Promise<void> => {
    const answer = await call<readonly Waiting[]>('GET', '/v1/auth/mfa/device-approvals');
    if (answer.ok) setAll(answer.body);
    else setError(answer.error);
  }, []);
  useEffect(() => void look(), [look]);
  return (
    <PublicPage title="Sign-ins that wait for you">
      <Problem error={error} />
      <Text>Refuse what you did not begin: whoever did knows your password.</Text>
      {all?.length === 0 ? <Text role="status">No sign-in is waiting.</Text> : null}
      {all?.map((waiting) => (
        <One key={waiting.id} waiting={waiting} onDecided={() => void look()} />
      ))}
      <Group>
        <Button variant="default" onClick={() => void look()}>
          Refresh
        </Button>
      </Group>
    </PublicPage>
  );
};
