import { NativeSelect } from '@mantine/core';
import type { A2aDirection } from '@svc/contract/peers/a2a/a2a-connections.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { ApiError } from '../../data/answer.ts';
import { client } from '../../data/client.ts';
import { type LabelledEnvironment, useEnvironmentsRead } from '../../data/environments.ts';
import { findFault } from '../../data/faults.ts';
import { getEnvironmentOptions } from '../../data/scope-options.ts';
import { TextField } from '../../design/fields.tsx';
import { Form, type Values } from '../../design/form.tsx';
import { Unread } from '../../design/unread.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { refreshConnections } from './connection.ts';
import { CardUrlField, DirectionField, InboundFields, KeysField, readPastedKeys } from './fields.tsx';

type FieldsProps = { readonly environments: readonly LabelledEnvironment[]; readonly error: ApiError | undefined };

const Fields = ({ environments, error }: FieldsProps): ReactNode => {
  const [direction, setDirection] = useState<A2aDirection>('OUTBOUND');
  const [environmentId, setEnvironment] = useState(environments[0]?.id ?? '');
  return (
    <>
      <TextField error={error} name="name" label="Name" description="The name of its tool is derived from it." placeholder="Partner" />
      <NativeSelect
        name="environment_id"
        label="Environment"
        data={getEnvironmentOptions(environments)}
        value={environmentId}
        onChange={({ currentTarget }) => setEnvironment(currentTarget.value)}
        error={findFault(error, 'environment_id')}
      />
      <DirectionField value={direction} onChange={setDirection} />
      {direction === 'INBOUND' ? <InboundFields error={error} environmentId={environmentId} /> : null}
      <CardUrlField error={error} />
      <KeysField error={error} />
    </>
  );
};

/** The body of a registration, from the values of the form. */
const buildBody = ({ name = '', environment_id = '', card_url = '', keys = '', direction, agent_id = '', agent_url = '' }: Values) => ({
  ...{ name, environment_id, card_url, keys: readPastedKeys(keys) },
  ...(direction === 'INBOUND' ? { direction: 'INBOUND' as const, agent_id, agent_url } : {}),
});

const PARENT = { name: 'A2A connections', path: buildConsolePath('a2aConnections') };

/** A form for a new connection to a remote agent. */
export const NewA2aConnection = (): ReactNode => {
  const { environments, error: failure } = useEnvironmentsRead();
  const [, navigate] = useLocation();
  return (
    <ConsolePage title="Register an A2A connection" parent={PARENT}>
      {environments === undefined ? (
        <Unread error={failure} lines={4} />
      ) : (
        <Form
          submit="Register"
          send={(values) => client.request('registerA2aConnection', { body: buildBody(values) })}
          then={({ id }) => {
            void refreshConnections();
            navigate(buildConsolePath('a2aConnection', { a2aConnectionId: id }));
          }}
          fields={(error) => <Fields environments={environments} error={error} />}
        />
      )}
    </ConsolePage>
  );
};
