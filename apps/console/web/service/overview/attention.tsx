import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Panel } from '../../design/panel.tsx';

/** Fewer refusals say nothing about an agent. */
const REFUSED_MIN = 3;
const REFUSED_SHARE = 0.5;
const SHOWN_MAX = 7;
const LISTED_MAX = 200;

type Item = { readonly key: string; readonly path: string; readonly text: string };

const useRefusedAgents = (session: Session): readonly Item[] => {
  const { data } = useOperation('summarizeActions', {}, { isEnabled: may(session, 'action:read') });
  return (data?.by_agent ?? []).flatMap(({ key, name, total, decisions }) =>
    key !== null && decisions.BLOCK >= REFUSED_MIN && decisions.BLOCK / total >= REFUSED_SHARE
      ? [
          {
            key: `refused ${key}`,
            path: `${buildConsolePath('actions')}?agent_id=${key}&decision=BLOCK`,
            text: `${name} was refused ${decisions.BLOCK} of ${total} times in 24 hours`,
          },
        ]
      : [],
  );
};

const useStoppedAgents = (session: Session): readonly Item[] => {
  const { data } = useOperation('listAgents', { query: { limit: LISTED_MAX } }, { isEnabled: may(session, 'agent:read') });
  return (data?.items ?? []).flatMap(({ id, name, status }) =>
    status === 'PAUSED' || status === 'SUSPENDED' || status === 'ISOLATED'
      ? [{ key: `stopped ${id}`, path: buildConsolePath('agent', { agentId: id }), text: `${name} is ${status.toLowerCase()}` }]
      : [],
  );
};

const usePolicies = (session: Session): readonly Item[] => {
  const { data } = useOperation('listPolicies', { query: { limit: LISTED_MAX } }, { isEnabled: may(session, 'policy:read') });
  return (data ?? []).flatMap(({ id, name, status, active_version, versions }) => {
    const path = buildConsolePath('policy', { policyId: id });
    const newest = versions[0]?.version_number ?? 0;
    if (status === 'SUSPENDED') return [{ key: `suspended ${id}`, path, text: `Policy ${name} is suspended` }];
    if (active_version === null) return [{ key: `draft ${id}`, path, text: `Policy ${name} was never activated` }];
    return newest > active_version.version_number
      ? [{ key: `ahead ${id}`, path, text: `Policy ${name} has a draft ahead of its active version` }]
      : [];
  });
};

/** Things that a person should look at, each with a link. */
export const Attention = ({ session }: { readonly session: Session }): ReactNode => {
  const items = [...useRefusedAgents(session), ...useStoppedAgents(session), ...usePolicies(session)];
  return (
    <Panel title="Needs attention">
      {items.length === 0 ? <p>Nothing needs attention.</p> : null}
      <ul className="rows">
        {items.slice(0, SHOWN_MAX).map(({ key, path, text }) => (
          <li key={key}>
            <a href={path}>
              <bdi>{text}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
