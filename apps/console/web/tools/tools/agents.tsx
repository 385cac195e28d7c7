import { NativeSelect } from '@mantine/core';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Form } from '../../design/form.tsx';
import type { Tool } from './tool.ts';

const LISTED_MAX = 200;

type AgentsProps = { readonly tool: Tool; readonly session: Session; readonly done: (text: string) => void };

/** Agents that may use the tool, with buttons to authorize one and to withdraw it. */
export const AuthorizedAgents = ({ tool, session, done }: AgentsProps): ReactNode => {
  const { data } = useOperation(
    'listAgents',
    { query: { environment_id: tool.environment_id, limit: LISTED_MAX } },
    { isEnabled: may(session, 'agent:read') },
  );
  const agents = data?.items ?? [];
  const nameOf = (id: string): string => agents.find((agent) => agent.id === id)?.name ?? id;
  const others = agents.filter(({ id }) => !tool.authorized_agent_ids.includes(id));
  const changed = (text: string): void => {
    done(text);
    void refresh('getTool', 'listTools', 'getAgentAuthority');
  };
  return (
    <>
      {tool.authorized_agent_ids.length === 0 ? <p>No agent is authorized for this tool.</p> : null}
      <ul className="rows">
        {tool.authorized_agent_ids.map((agentId) => (
          <li key={agentId}>
            <a href={buildConsolePath('agent', { agentId })}>
              <bdi>{nameOf(agentId)}</bdi>
            </a>
            {may(session, 'tool:update') ? (
              <ActionButton
                does="Withdraw"
                to={nameOf(agentId)}
                means="The agent can no longer use the tool. Its open approvals for it are withdrawn."
                send={() => client.request('withdrawAgentFromTool', { params: { toolId: tool.id, agentId } })}
                then={() => changed(`Withdrawn: ${nameOf(agentId)}.`)}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {may(session, 'tool:update') && others.length > 0 ? (
        <DialogButton label="Authorize an agent">
          {(close) => (
            <Form
              submit="Authorize"
              send={({ agent_id = '' }) => client.request('authorizeAgentForTool', { params: { toolId: tool.id }, body: { agent_id } })}
              then={() => {
                close();
                changed('Authorized.');
              }}
              fields={(error) => (
                <NativeSelect
                  name="agent_id"
                  label="Agent"
                  error={findFault(error, 'agent_id')}
                  data={others.map(({ id, name }) => ({ value: id, label: name }))}
                />
              )}
            />
          )}
        </DialogButton>
      ) : null}
    </>
  );
};
