import { NativeSelect } from '@mantine/core';
import type { A2aDirection, A2aKey } from '@svc/contract/peers/a2a/a2a-connections.ts';
import type { ReactNode } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { findFault } from '../../data/faults.ts';
import { useOperation } from '../../data/use-operation.ts';
import { TextField } from '../../design/fields.tsx';
import { DIRECTION_NAMES } from './connection.ts';

const URL_CHARS_MAX = 2000;
const KEYS_CHARS_MAX = 5000;
const AGENTS_MAX = 100;

/** Reads one pasted key, or a list of keys. The API refuses what is no key, at its place. */
export const readPastedKeys = (text: string): A2aKey[] => {
  try {
    const pasted: unknown = JSON.parse(text);
    return (Array.isArray(pasted) ? pasted : [pasted]) as A2aKey[];
  } catch (error) {
    if (error instanceof SyntaxError) return [{} as A2aKey];
    throw error;
  }
};

type FieldProps = { readonly error: ApiError | undefined; readonly defaultValue?: string };

export const CardUrlField = (props: FieldProps): ReactNode => (
  <TextField
    {...props}
    name="card_url"
    label="Agent card"
    placeholder="https://agent.partner.example/.well-known/agent-card.json"
    maxLength={URL_CHARS_MAX}
  />
);

export const KeysField = (props: FieldProps): ReactNode => (
  <TextField
    {...props}
    name="keys"
    label="Public key (JWK)"
    description="Ed25519 or P-256, obtained from the partner on another way than the card."
    placeholder='{ "kty": "OKP", "crv": "Ed25519", "x": "…", "kid": "…" }'
    maxLength={KEYS_CHARS_MAX}
  />
);

export const AgentUrlField = (props: FieldProps): ReactNode => (
  <TextField
    {...props}
    name="agent_url"
    label="A2A endpoint of your agent"
    placeholder="https://agent.example/a2a"
    maxLength={URL_CHARS_MAX}
  />
);

/** The agent that receives the messages, and its address. */
export const InboundFields = ({
  error,
  environmentId,
}: {
  readonly error: ApiError | undefined;
  readonly environmentId: string;
}): ReactNode => {
  const { data } = useOperation('listAgents', { query: { environment_id: environmentId, limit: AGENTS_MAX } });
  const options = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <NativeSelect name="agent_id" label="Your agent" data={options} error={findFault(error, 'agent_id')} />
      <AgentUrlField error={error} />
    </>
  );
};

type DirectionFieldProps = { readonly value: A2aDirection; readonly onChange: (direction: A2aDirection) => void };

export const DirectionField = ({ value, onChange }: DirectionFieldProps): ReactNode => (
  <NativeSelect
    name="direction"
    label="Direction"
    data={Object.entries(DIRECTION_NAMES).map(([word, label]) => ({ value: word, label }))}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value as A2aDirection)}
  />
);
