import type { ReactNode } from 'react';
import { useOperation } from '../../data/use-operation.ts';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Warning } from '../../design/warning.tsx';

/** The delegations and agents that end with a delegation, before it is revoked. */
export const Cascade = ({ delegationId }: { readonly delegationId: string }): ReactNode => {
  const { data, error } = useOperation('previewRevocation', { params: { delegationId } });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Skeleton lines={3} />;
  const returning = data.agents.filter(({ grants_come_back }) => grants_come_back);
  return (
    <>
      <p>
        {data.total === 1 ? 'Only this delegation ends.' : `${data.total} delegations end, this one included.`} {data.agents.length}{' '}
        {data.agents.length === 1 ? 'agent loses' : 'agents lose'} authority.
      </p>
      <ul className="rows">
        {data.agents.map(({ agent_id, name, delegations_left, pending_approvals }) => (
          <li key={agent_id}>
            <bdi>{name || agent_id}</bdi>
            <span className="quiet-text">
              {delegations_left} {delegations_left === 1 ? 'delegation' : 'delegations'} left
              {pending_approvals === 0 ? '' : `, ${pending_approvals} waiting`}
            </span>
          </li>
        ))}
      </ul>
      {returning.length === 0 ? null : (
        <Warning title="Own grants apply again">
          Without a delegation from a person, {returning.map(({ name, agent_id }) => name || agent_id).join(', ')} can use all of its own
          grants.
        </Warning>
      )}
    </>
  );
};
