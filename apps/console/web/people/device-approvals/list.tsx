import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { CodeField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Button, Group, Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Time } from '../../design/time.tsx';
import { PublicPage } from '../../layout/public-page.tsx';

type SignIn = OperationResult<'listDeviceApprovals'>[number];

const onDecided = (): void => void refresh('listDeviceApprovals');

const One = ({ signIn: { id, source_ip, user_agent, created_at } }: { readonly signIn: SignIn }): ReactNode => {
  const params = { deviceApprovalId: id };
  const { run, error, isPending } = useMutation(() => client.request('denyDevice', { params, body: {} }), onDecided);
  return (
    <section aria-label={`Sign-in from ${source_ip}`}>
      <Text>
        From {source_ip} at <Time at={created_at} />, <bdi>{user_agent ?? 'unknown browser'}</bdi>
      </Text>
      <Problem error={error} />
      <Form
        submit="Allow"
        send={({ number }) => client.request('approveDevice', { params, body: { number: Number(number) } })}
        then={onDecided}
        fields={(fault) => (
          <CodeField error={fault} name="number" label="Number" description="The two digits shown on the device that signs in." />
        )}
      />
      <Button variant="default" mt="sm" loading={isPending} onClick={() => void run(undefined)}>
        Deny
      </Button>
    </section>
  );
};

/** Sign-ins of the same person that wait for approval on this device. */
export const DeviceApprovals = (): ReactNode => {
  const { data, error, refetch, isFetching } = useOperation('listDeviceApprovals', {});
  return (
    <PublicPage title="Pending sign-ins">
      <Problem error={error ?? undefined} />
      <Text>Not you? Deny it and change your password.</Text>
      {data?.length === 0 ? <Text role="status">No pending sign-ins.</Text> : null}
      {data?.map((signIn) => (
        <One key={signIn.id} signIn={signIn} />
      ))}
      <Group>
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          Refresh
        </Button>
      </Group>
    </PublicPage>
  );
};
