import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOperation } from '../../data/use-operation.ts';
import { Problem } from '../../design/problem.tsx';

/** Each check of the agent's health with its detail. */
export const Health = ({ agentId }: { readonly agentId: string }): ReactNode => {
  const { data, error } = useOperation('getAgentHealth', { params: { agentId } });
  if (error) return <Problem error={error} />;
  return (
    <ul className="conditions">
      {data?.checks.map(({ check, ok, detail }) => {
        const Icon = ok ? Check : X;
        return (
          <li key={check} className="condition">
            <Icon size={16} data-tone={ok ? 'allowed' : 'blocked'} role="img" aria-label={ok ? 'OK' : 'Problem'} />
            <span>
              {check.replaceAll('_', ' ')} <bdi className="quiet-text">{detail}</bdi>
            </span>
          </li>
        );
      })}
    </ul>
  );
};
