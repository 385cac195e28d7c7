import { NativeSelect } from '@mantine/core';
import type { A2aKey } from '@svc/contract/peers/a2a/a2a-connections.ts';
import { consolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { ApiError } from '../../data/answer.ts';
import { client } from '../../data/client.ts';
import { type Environment, useEnvironments } from '../../data/environments.ts';
import { faultOf } from '../../data/faults.ts';
import { environmentOptions } from '../../data/scope-options.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { refreshConnections } from './connection.ts';

const URL_CHARS_MAX = 2000;
const KEY_CHARS_MAX = 1000;

/** Reads a pasted key. The API refuses what is no key, at its place. */
const readKey = (text: string): A2aKey => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return {} as A2aKey;
    throw error;
  }
};

const Fields = ({
  environments,
  error,
}: {
  readonly environments: readonly Environment[];
  readonly error: ApiError | undefined;
}): ReactNode => (
  <>
    <TextField error={error} name="name" label="Name" description="The name of its tool is derived from it." placeholder="Partner" />
    <NativeSelect
      name="environment_id"
      label="Environment"
      data={environmentOptions(environments)}
      error={faultOf(error, 'environment_id')}
    />
    <TextField
      error={error}
      name="card_url"
      label="Agent card"
      placeholder="https://agent.partner.example/.well-known/agent-card.json"
      maxLength={URL_CHARS_MAX}
    />
    <TextField
      error={error}
      name="keys"
      label="Public key (JWK)"
      description="Ed25519 or P-256, obtained from the partner on another way than the card."
      placeholder='{ "kty": "OKP", "crv": "Ed25519", "x": "…", "kid": "…" }'
      maxLength={KEY_CHARS_MAX}
    />
  </>
);

const PARENT = { name: 'A2A connections', path: consolePath('a2aConnections') };

/** A form for a new connection to a remote agent. */
export const NewA2aConnection = (): ReactNode => {
  const environments = useEnvironments();
  const [, navigate] = useLocation();
  if (environments === undefined) return <Skeleton lines={4} />;
  return (
    <ConsolePage title="Register an A2A connection" parent={PARENT}>
      <Form
        submit="Register"
        send={({ name = '', environment_id = '', card_url = '', keys = '' }) =>
          client.request('registerA2aConnection', { body: { name, environment_id, card_url, keys: [readKey(keys)] } })
        }
        then={({ id }) => {
          void refreshConnections();
          navigate(consolePath('a2aConnection', { a2aConnectionId: id }));
        }}
        fields={(error) => <Fields environments={environments} error={error} />}
      />
    </ConsolePage>
  );
};
