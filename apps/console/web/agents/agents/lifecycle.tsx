import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Text } from '../../design/kit.tsx';
import { ReasonForm } from '../../design/reason-form.tsx';
import { Warning } from '../../design/warning.tsx';
import type { Agent } from './agent.ts';

type Operation = 'pause' | 'resume' | 'suspend' | 'revoke';
type Preview = OperationResult<'previewBulkChange'>;

const WORDS: Readonly<Record<Operation, { readonly label: string; readonly done: string; readonly permission: string }>> = {
  pause: { label: 'Pause', done: 'Paused', permission: 'agent:pause' },
  resume: { label: 'Resume', done: 'Resumed', permission: 'agent:resume' },
  suspend: { label: 'Suspend', done: 'Suspended', permission: 'agent:suspend' },
  revoke: { label: 'Revoke', done: 'Revoked', permission: 'agent:revoke' },
};

const KINDS = [
  ['sessions', 'session', 'sessions'],
  ['delegations', 'delegation', 'delegations'],
  ['approvals', 'open approval', 'open approvals'],
  ['tools', 'tool', 'tools'],
] as const;

/** The dependents of the agent in words: `2 sessions, 1 open approval`. */
const radiusText = (radius: Preview['total']['blast_radius'], names: readonly string[] | undefined): string =>
  KINDS.filter(([name]) => names === undefined || names.includes(name))
    .flatMap(([name, one, many]) => (radius[name] === 0 ? [] : [`${radius[name]} ${radius[name] === 1 ? one : many}`]))
    .join(', ') || 'nothing';

const BlastRadius = ({ agent, operation }: { readonly agent: Agent; readonly operation: Operation }): ReactNode => {
  const { data, error } = useOperation('previewBulkChange', { body: { agent_ids: [agent.id], operation } });
  if (error) return <Text mb="md">{error.message}</Text>;
  if (data === undefined) return <Text mb="md">Counting what depends on the agent…</Text>;
  const [step] = data.agents;
  if (step !== undefined && step.code !== null) return <Warning title="Not possible now">{step.reason}</Warning>;
  const { blast_radius } = data.total;
  return (
    <Text mb="md">
      Ends: {radiusText(blast_radius, data.ends)}. The agent has {radiusText(blast_radius, undefined)} in all.
      {operation === 'revoke' ? ' A revoked agent cannot be restored.' : ''}
    </Text>
  );
};

const send = (operation: Operation, agentId: string, reason: string) => {
  const input = { params: { agentId }, body: { reason } };
  if (operation === 'pause') return client.request('pauseAgent', input);
  if (operation === 'resume') return client.request('resumeAgent', input);
  return operation === 'suspend' ? client.request('suspendAgent', input) : client.request('revokeAgent', input);
};

const possible = ({ status }: Agent): readonly Operation[] => {
  if (status === 'ACTIVE') return ['pause', 'suspend', 'revoke'];
  if (status === 'PAUSED') return ['resume', 'suspend', 'revoke'];
  return status === 'SUSPENDED' || status === 'ISOLATED' ? ['resume', 'revoke'] : [];
};

type LifecycleProps = { readonly agent: Agent; readonly session: Session; readonly done: (text: string) => void };

/** Buttons that stop the agent or let it go on, each with what it ends before it is made. */
export const Lifecycle = ({ agent, session, done }: LifecycleProps): ReactNode =>
  possible(agent)
    .filter((operation) => may(session, WORDS[operation].permission))
    .map((operation) => {
      const { label, done: past } = WORDS[operation];
      return (
        <DialogButton key={operation} label={label} title={`${label} ${agent.name}`} isDanger={operation === 'revoke'}>
          {(close) => (
            <ReasonForm
              submit={label}
              isDanger={operation !== 'resume'}
              send={(reason) => send(operation, agent.id, reason)}
              then={() => {
                close();
                done(`${past}: ${agent.name}.`);
                void refresh('getAgent', 'getAgentHealth', 'listAgents', 'getAgentAuthority');
              }}
            >
              <BlastRadius agent={agent} operation={operation} />
            </ReasonForm>
          )}
        </DialogButton>
      );
    });
