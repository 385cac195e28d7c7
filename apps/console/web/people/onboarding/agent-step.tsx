import { type ReactNode, useState } from 'react';
import { createAgentKey } from '../../agents/agents/key-ceremony.ts';
import { callTexts } from '../../data/call-texts.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Save } from '../../design/save-file.tsx';
import { Warning } from '../../design/warning.tsx';
import { buildTrialAgentBody, createTrialAgent } from './prepare.ts';
import { SideBySide } from './step.tsx';
import type { TrialProgress } from './trial.ts';

type AgentStepProps = {
  readonly session: Session;
  readonly progress: TrialProgress;
  /** Receives the private key, which is kept by this page only. */
  readonly onKey: (privateKey: string) => void;
};

const SHOWN_ENVIRONMENT = { id: 'env_...', workspace_id: 'wsp_...' };
const DEFAULT_NAME = 'refund-bot';

/** Registers an agent with a key that this browser makes. */
export const AgentStep = ({ session, progress, onKey }: AgentStepProps): ReactNode => {
  const [name, setName] = useState(DEFAULT_NAME);
  if (!may(session, 'agent:create')) return <MissingPermission needs="agent:create" to="register an agent" />;
  const send = async (values: Readonly<Record<string, string>>) => {
    const key = await createAgentKey();
    const answer = await createTrialAgent(values.name ?? '', key?.publicKey);
    return answer.ok
      ? { ok: true as const, body: { ...answer.body, privateKey: answer.body.privateKey ?? key?.privateKey ?? '' } }
      : answer;
  };
  return (
    <SideBySide
      label="Register the agent"
      texts={callTexts('createAgent', { body: buildTrialAgentBody(name, '<public key>', SHOWN_ENVIRONMENT) }, location.origin)}
    >
      <Form
        submit="Create agent"
        send={send}
        then={({ agent, privateKey }) => {
          onKey(privateKey);
          progress.set({ agent: agent.id, name: agent.name, environment: agent.environment_id });
        }}
        fields={(error) => (
          <>
            <Text size="sm">The agent belongs to a new environment named Trial. Nothing else is affected.</Text>
            <div onChange={({ target }) => setName((target as HTMLInputElement).value)}>
              <TextField
                error={error}
                name="name"
                label="Name"
                defaultValue={DEFAULT_NAME}
                description="This browser makes the agent’s key. The private key is not sent to the service."
              />
            </div>
          </>
        )}
      />
    </SideBySide>
  );
};

/** The private key as a download, as long as this page has it. */
export const KeyDownload = ({ name, privateKey }: { readonly name: string; readonly privateKey: string }): ReactNode => (
  <Warning title="Download the private key">
    Only this page has it. Keep it to continue after a reload, or to run the agent in a terminal.{' '}
    <Save text={privateKey} name={`${name}.key`}>
      Download {name}.key
    </Save>
  </Warning>
);
