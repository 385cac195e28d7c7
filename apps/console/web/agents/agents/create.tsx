import { NativeSelect, Textarea } from '@mantine/core';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { useEnvironmentsRead } from '../../data/environments.ts';
import { findFault } from '../../data/faults.ts';
import { getEnvironmentOptions } from '../../data/scope-options.ts';
import { useOperation } from '../../data/use-operation.ts';
import { CodeTabs } from '../../design/code-tabs.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Button, Text } from '../../design/kit.tsx';
import { Panel } from '../../design/panel.tsx';
import { Save } from '../../design/save-file.tsx';
import { Unread } from '../../design/unread.tsx';
import { Warning } from '../../design/warning.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type AgentKey, createAgentKey } from './key-ceremony.ts';

const PARENT = { name: 'Agents', path: buildConsolePath('agents') };

const SOURCES = {
  browser: 'This browser makes the key',
  own: 'I have a public key',
} as const;
type Source = keyof typeof SOURCES;

type Made = { readonly id: string; readonly name: string; readonly privateKey: string | undefined };

const listCapabilities = (text: string): string[] => text.split(/[\s,]+/).filter((each) => each !== '');

/** The private key, once. Afterwards only its owner has it. */
const KeyOnce = ({ made: { id, name, privateKey } }: { readonly made: Made }): ReactNode => {
  const { data: info } = useOperation('getInfo', {});
  const gateway = info?.gateway_url ?? '$GATEWAY_URL';
  return (
    <>
      {privateKey === undefined ? null : (
        <Panel title="Private key">
          <Warning title="Save the private key now">It is only in this page. It cannot be shown again.</Warning>
          <p className="secret">{privateKey}</p>
          <Save text={privateKey} name={`${name}.key`}>
            Download {name}.key
          </Save>
          <p className="quiet-text">Keep the file readable by the agent only: chmod 600 {name}.key</p>
        </Panel>
      )}
      <Panel title="Connect it">
        <CodeTabs
          label="First request"
          tabs={[
            {
              name: 'SDK',
              code: [
                "import { readFileSync } from 'node:fs';",
                "import { Governance } from '@svc/sdk';",
                '',
                'const governance = new Governance({',
                `  gatewayUrl: '${gateway}',`,
                `  agentId: '${id}',`,
                `  privateKey: readFileSync('${name}.key', 'utf8').trim(),`,
                '});',
                "const decision = await governance.act('refund.create', { parameters: { order: 'order-1' } });",
              ].join('\n'),
            },
            { name: 'Read', code: `curl -H "authorization: Bearer $TOKEN" ${location.origin}/v1/agents/${id}` },
          ]}
        />
        <Button component="a" href={buildConsolePath('agent', { agentId: id })}>
          Open {name}
        </Button>
      </Panel>
    </>
  );
};

type CreateFormProps = { readonly onMade: (made: Made) => void };

const CreateForm = ({ onMade }: CreateFormProps): ReactNode => {
  const { environments, error: failure } = useEnvironmentsRead();
  const [source, setSource] = useState<Source>('browser');
  const [key, setKey] = useState<AgentKey | 'unavailable'>();
  if (environments === undefined) return <Unread error={failure} lines={5} />;
  if (environments.length === 0)
    return <EmptyState>An agent belongs to an environment. Create a workspace and an environment first.</EmptyState>;
  const keyFor = async (entered: string): Promise<AgentKey | { readonly publicKey: string; readonly privateKey?: string } | undefined> => {
    if (source === 'own') return { publicKey: entered };
    if (key !== undefined && key !== 'unavailable') return key;
    const made = await createAgentKey();
    setKey(made ?? 'unavailable');
    return made;
  };
  const send = async (values: Readonly<Record<string, string>>) => {
    const { name = '', description = '', environment_id = '', capabilities = '', public_key = '' } = values;
    const used = await keyFor(public_key);
    const environment = environments.find(({ id }) => id === environment_id);
    const body = {
      ...{ name, description, environment_id, workspace_id: environment?.workspace_id },
      capabilities: listCapabilities(capabilities),
      ...(used === undefined ? {} : { public_key: used.publicKey }),
    } as OperationBody<'createAgent'>;
    const answer = await client.request('createAgent', { body });
    if (!answer.ok) return answer;
    const { agent, private_key } = answer.body.data;
    const privateKey = private_key ?? (used !== undefined && 'privateKey' in used ? used.privateKey : undefined);
    return { ok: true, body: { id: agent.id, name: agent.name, privateKey } } as const;
  };
  return (
    <Form
      submit="Register"
      send={send}
      then={onMade}
      fields={(error) => (
        <>
          <TextField error={error} name="name" label="Name" placeholder="refund-bot" />
          <TextField error={error} name="description" label="Description" required={false} maxLength={4000} />
          <NativeSelect
            name="environment_id"
            label="Environment"
            data={getEnvironmentOptions(environments)}
            error={findFault(error, 'environment_id')}
          />
          <TextField
            error={error}
            name="capabilities"
            label="Capabilities"
            description="Separate several with spaces."
            placeholder="payments.refund"
            required={false}
            maxLength={4000}
          />
          <fieldset className="segments">
            <legend>Key</legend>
            {(Object.keys(SOURCES) as Source[]).map((value) => (
              <label key={value}>
                <input type="radio" name="source" value={value} checked={source === value} onChange={() => setSource(value)} />
                <span>{SOURCES[value]}</span>
              </label>
            ))}
          </fieldset>
          {source === 'own' ? (
            <Textarea
              name="public_key"
              label="Public key"
              description="Ed25519, as base64 or PEM. Never the private key."
              rows={3}
              required
              error={findFault(error, 'public_key')}
            />
          ) : (
            <Text size="sm">
              {key === 'unavailable'
                ? 'This browser cannot make the key, so the service makes it and shows it once.'
                : 'The private key is shown once after the agent is registered. It is not sent to the service.'}
            </Text>
          )}
        </>
      )}
    />
  );
};

/** Registers an agent and gives it a key. */
export const NewAgent = (): ReactNode => {
  const [made, setMade] = useState<Made>();
  return (
    <ConsolePage title={made === undefined ? 'New agent' : `${made.name} is registered`} parent={PARENT}>
      {made === undefined ? <CreateForm onMade={setMade} /> : <KeyOnce made={made} />}
    </ConsolePage>
  );
};
