import { NativeSelect, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../../data/call.ts';
import { faultOf } from '../../data/faults.ts';
import type { Session } from '../../data/session.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { may } from '../../layout/permitted.ts';

type Connection = { readonly id: string; readonly name: string; readonly status: string };
type Begun = { readonly authorization_url: string };

/** Connections that people sign in by; undefined where whoever is signed in may not list them, or they are not there yet. */
const useConnections = (session: Session): readonly Connection[] | undefined => {
  const [connections, setConnections] = useState<readonly Connection[]>();
  useEffect(() => {
    if (!may(session, 'sso:read')) return;
    void call<readonly Connection[]>('GET', '/v1/sso/connections').then((answer) =>
      setConnections(answer.ok ? answer.body.filter(({ status }) => status === 'ACTIVE') : undefined),
    );
  }, [session]);
  return connections;
};

/** Begins to link an identity at a provider, after a fresh proof; the browser goes there, and comes back signed in as it is. */
export const Link = ({ session }: { readonly session: Session }): ReactNode => {
  const connections = useConnections(session);
  if (connections?.length === 0)
    return (
      <Text>
        Your organization has no connection for single sign-on. Whoever manages it makes one with the API, POST /v1/sso/connections.
      </Text>
    );
  return (
    <>
      <Text>You go to the provider and sign in there, within ten minutes. From then on that sign-in is yours here.</Text>
      <Form<Begun>
        submit="Link it"
        send={({ connection_id }) => call('POST', '/v1/auth/identities', { connection_id })}
        then={({ authorization_url }) => location.assign(authorization_url)}
        fields={(error) =>
          connections ? (
            <NativeSelect
              name="connection_id"
              label="Connection"
              data={connections.map(({ id, name }) => ({ value: id, label: name }))}
              error={faultOf(error, 'connection_id')}
            />
          ) : (
            <TextField
              error={error}
              name="connection_id"
              label="Connection"
              description="Its id, sso_..., which whoever manages single sign-on tells you."
              maxLength={64}
            />
          )
        }
      />
    </>
  );
};
