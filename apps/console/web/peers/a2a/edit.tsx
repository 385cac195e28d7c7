import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form, type Values } from '../../design/form.tsx';
import type { A2aConnection } from './connection.ts';
import { AgentUrlField, CardUrlField, KeysField, readPastedKeys } from './fields.tsx';

type EditProps = { readonly connection: A2aConnection; readonly done: (text: string) => void };

/** The members that differ, since a change of an address or key ends the verification. */
const findChanges = ({ name, card_url, agent_url, keys }: A2aConnection, values: Values) => ({
  ...(values.name === name ? {} : { name: values.name ?? '' }),
  ...(values.card_url === card_url ? {} : { card_url: values.card_url ?? '' }),
  ...(agent_url === null || values.agent_url === agent_url ? {} : { agent_url: values.agent_url ?? '' }),
  ...(values.keys === JSON.stringify(keys) ? {} : { keys: readPastedKeys(values.keys ?? '') }),
});

/** Changes a connection. */
export const Edit = ({ connection, done }: EditProps): ReactNode => {
  const { id, name, card_url, agent_url, keys } = connection;
  return (
    <DialogButton label="Edit" to={name}>
      {(close) => (
        <Form
          submit="Save"
          send={(values) =>
            client.request('updateA2aConnection', { params: { a2aConnectionId: id }, body: findChanges(connection, values) })
          }
          then={({ name: saved, status }) => {
            close();
            done(status === 'PENDING' ? `${saved} is saved. Verify it before it is used.` : `${saved} is saved.`);
          }}
          fields={(error) => (
            <>
              <TextField error={error} name="name" label="Name" defaultValue={name} />
              <CardUrlField error={error} defaultValue={card_url} />
              {agent_url === null ? null : <AgentUrlField error={error} defaultValue={agent_url} />}
              <KeysField error={error} defaultValue={JSON.stringify(keys)} />
            </>
          )}
        />
      )}
    </DialogButton>
  );
};
