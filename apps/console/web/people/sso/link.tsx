import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';
import { Skeleton } from '../../design/skeleton.tsx';

/** Starts to link an identity at a provider, after a step-up. The browser goes there and returns signed in. */
export const Link = ({ session }: { readonly session: Session }): ReactNode => {
  const mayList = may(session, 'sso:read');
  const { data, isLoading } = useOperation('listSsoConnections', {}, { isEnabled: mayList });
  const connections = data?.filter(({ status }) => status === 'ACTIVE');
  if (isLoading) return <Skeleton lines={3} />;
  if (connections?.length === 0)
    return (
      <Text>
        Your organization has no single sign-on connection. An administrator creates one with <code>POST /v1/sso/connections</code>.
      </Text>
    );
  return (
    <>
      <Text mb="md">Sign in at the provider within 10 minutes to link it.</Text>
      <Form
        submit="Continue"
        send={({ connection_id = '' }) => client.request('linkIdentity', { body: { connection_id } })}
        then={({ authorization_url }) => location.assign(authorization_url)}
        fields={(error) =>
          connections ? (
            <NativeSelect
              name="connection_id"
              label="Connection"
              data={connections.map(({ id, name }) => ({ value: id, label: name }))}
              error={findFault(error, 'connection_id')}
            />
          ) : (
            <TextField
              error={error}
              name="connection_id"
              label="Connection"
              description="Its id (sso_…), from your administrator."
              maxLength={64}
            />
          )
        }
      />
    </>
  );
};
