import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { formatCeiling } from '../../actions/actions/authority.tsx';
import { useOperation } from '../../data/use-operation.ts';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { Table } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';

/** Shows what the agent may do, and the source of its authority. */
export const Authority = ({ agentId }: { readonly agentId: string }): ReactNode => {
  const { data, error } = useOperation('getAgentAuthority', { params: { agentId } });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Skeleton lines={4} />;
  return (
    <>
      <p>
        {data.source === 'GRANT'
          ? 'Requests without a delegation rest on the grants of the agent.'
          : 'Requests without a delegation rest on the delegations from people.'}
      </p>
      <h3>Capabilities</h3>
      <Table
        label="Capabilities"
        rows={data.capabilities}
        keyOf={({ capability }) => capability}
        columns={[
          { name: 'Capability', show: ({ capability }) => <code>{capability}</code> },
          {
            name: 'Applies',
            show: ({ effective }) => <StatusPill tone={effective ? 'allowed' : 'neutral'}>{effective ? 'Yes' : 'No'}</StatusPill>,
          },
          { name: 'Granted', show: ({ granted_at }) => <Time at={granted_at} /> },
        ]}
        empty="The agent has no capabilities."
      />
      <h3>Tools</h3>
      <Table
        label="Tools"
        rows={data.tools}
        keyOf={({ tool_id }) => tool_id}
        pathOf={({ tool_id }) => buildConsolePath('tool', { toolId: tool_id })}
        columns={[
          { name: 'Tool', show: ({ name }) => <bdi>{name}</bdi> },
          {
            name: 'Usable',
            show: ({ usable, code }) => <StatusPill tone={usable ? 'allowed' : 'blocked'}>{usable ? 'Yes' : (code ?? 'No')}</StatusPill>,
          },
          { name: 'Capability', show: ({ required_capability }) => <code>{required_capability}</code> },
        ]}
        empty="The agent is authorized for no tool."
      />
      <h3>Delegations to it</h3>
      <Table
        label="Delegations"
        rows={data.delegations}
        keyOf={({ delegation_id }) => delegation_id}
        pathOf={({ delegation_id }) => buildConsolePath('delegation', { delegationId: delegation_id })}
        columns={[
          { name: 'Delegation', show: ({ delegation_id }) => <code>{delegation_id.slice(-6)}</code> },
          { name: 'Links', show: ({ steps }) => steps.length, isNumber: true },
          {
            name: 'Ceiling',
            show: ({ bounds }) =>
              bounds.ceilings
                .map((ceiling) => formatCeiling(ceiling))
                .filter((text) => text !== '')
                .join('; ') || 'None',
          },
          {
            name: 'Usable',
            show: ({ usable, code }) => <StatusPill tone={usable ? 'allowed' : 'blocked'}>{usable ? 'Yes' : (code ?? 'No')}</StatusPill>,
          },
        ]}
        empty="No delegation to this agent."
      />
    </>
  );
};
