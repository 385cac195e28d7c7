import { NativeSelect, Textarea } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import { type ReactNode, useState } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { getShownJson } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { DecisionPill } from '../../design/decision-pill.tsx';
import { Form } from '../../design/form.tsx';
import type { Tool } from './tool.ts';

const LISTED_MAX = 200;

type Simulated = OperationResult<'simulatePolicy'>;
type TryProps = { readonly tool: Tool; readonly session: Session };

const read = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
};

/** An example of the parameters, by the types of the schema. */
const getExample = (schema: Readonly<Record<string, unknown>>): string => {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, { readonly type?: string; readonly enum?: readonly unknown[] }>>;
  const value = (type: string | undefined): unknown => (type === 'integer' || type === 'number' ? 1 : type === 'boolean' ? false : 'text');
  return getShownJson(Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, each.enum?.[0] ?? value(each.type)])));
};

/** Takes the amount and the currency from the parameters, as the gateway does. */
const derived = (tool: Tool, parameters: unknown): Record<string, unknown> => {
  const at = (pointer: string | null): unknown =>
    pointer === null || typeof parameters !== 'object' || parameters === null
      ? undefined
      : (parameters as Readonly<Record<string, unknown>>)[pointer.slice(1)];
  const [amount, currency] = [at(tool.amount_from), at(tool.currency_from)];
  return { ...(amount === undefined ? {} : { amount }), ...(currency === undefined ? {} : { currency }) };
};

/** Simulates a request of an agent for the tool. Nothing is recorded or called. */
export const TryIt = ({ tool, session }: TryProps): ReactNode => {
  const [result, setResult] = useState<Simulated>();
  const { data } = useOperation(
    'listAgents',
    { query: { environment_id: tool.environment_id, limit: LISTED_MAX } },
    { isEnabled: may(session, 'agent:read') },
  );
  const agents = data?.items ?? [];
  if (agents.length === 0) return <p>There is no agent in this environment to simulate a request of.</p>;
  return (
    <>
      <Form
        submit="Simulate"
        send={({ agent_id = '', parameters: text = '' }) => {
          const parameters = read(text);
          const body = { agent_id, tool: tool.id, parameters, ...derived(tool, parameters) } as OperationBody<'simulatePolicy'>;
          return client.request('simulatePolicy', { body });
        }}
        then={setResult}
        fields={(error) => (
          <>
            <NativeSelect name="agent_id" label="Agent" data={agents.map(({ id, name }) => ({ value: id, label: name }))} />
            <Textarea
              name="parameters"
              label="Parameters"
              rows={6}
              defaultValue={getExample(tool.parameters_schema)}
              error={findFault(error, 'parameters')}
            />
          </>
        )}
      />
      <div role="status">
        {result === undefined ? null : (
          <p>
            <DecisionPill decision={result.decision} /> <bdi>{result.reason}</bdi>
          </p>
        )}
      </div>
    </>
  );
};
