import type { ReactNode } from 'react';
import { formatMoney } from '../../data/money-text.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Id } from '../../design/id.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { Time } from '../../design/time.tsx';
import type { Action } from './action.ts';
import { type AuthorityLink, getAuthority } from './explanation.ts';

const DAY_S = 86_400;

const windowText = (seconds: number): string => {
  if (seconds % DAY_S === 0) return seconds === DAY_S ? 'per day' : `in ${seconds / DAY_S} days`;
  return seconds % 3_600 === 0 ? `in ${seconds / 3_600} hours` : `in ${seconds} seconds`;
};

/** Describes the ceiling of a delegation; empty if there is none. */
export const formatCeiling = ({
  max_amount,
  currency,
  max_calls,
  window_seconds,
}: {
  readonly max_amount?: number | null;
  readonly currency?: string | null;
  readonly max_calls?: number | null;
  readonly window_seconds?: number | null;
}): string => {
  const limits = [
    ...(max_amount === null || max_amount === undefined ? [] : [`up to ${formatMoney(max_amount, currency)}`]),
    ...(max_calls === null || max_calls === undefined ? [] : [`${max_calls} ${max_calls === 1 ? 'call' : 'calls'}`]),
  ].join(' and ');
  if (limits === '' || window_seconds === null || window_seconds === undefined) return limits;
  return `${limits} ${windowText(window_seconds)}`;
};

type LinkProps = { readonly link: AuthorityLink; readonly nameOf: (id: string) => string; readonly isRefusing: boolean };

const Link = ({ link, nameOf, isRefusing }: LinkProps): ReactNode => {
  const { delegator, delegate_agent_id, ceiling, narrows = [], expires_at, delegation_id } = link;
  const limit = formatCeiling(ceiling ?? {});
  return (
    <li data-refusing={isRefusing || undefined}>
      <div>
        <strong>
          <bdi>{nameOf(delegator.id)}</bdi>
        </strong>{' '}
        → <bdi>{nameOf(delegate_agent_id)}</bdi>
        {limit === '' ? '' : `, ${limit}`}
        {isRefusing ? (
          <>
            {' '}
            <StatusPill tone="blocked">Refused here</StatusPill>
          </>
        ) : null}
      </div>
      {narrows.map(({ field, left }) => (
        <div key={field} className="quiet-text">
          Limits {field} to: <bdi>{left.items.join(', ') || 'nothing'}</bdi>
          {left.more === undefined ? '' : ` and ${left.more} more`}
        </div>
      ))}
      <div className="quiet-text">
        {expires_at === null ? (
          'Does not expire'
        ) : (
          <>
            Expires <Time at={expires_at} />
          </>
        )}
        {delegation_id === null ? null : (
          <>
            {' · '}
            <Id id={delegation_id} />
          </>
        )}
      </div>
    </li>
  );
};

type AuthorityProps = {
  readonly action: Pick<Action, 'explanation' | 'agent_id' | 'agent_name'>;
  readonly session: Session;
};

/** Shows the authority of the request, link by link. */
export const AuthorityChain = ({ action, session }: AuthorityProps): ReactNode => {
  const { source, capability, held, authorized_for_tool, chain = [], refused } = getAuthority(action);
  const graph = useOperation(
    'getDelegationGraph',
    { query: { agent_id: action.agent_id } },
    { isEnabled: chain.length > 0 && may(session, 'delegation:read') },
  );
  if (source === undefined) return <p>The request was refused before its authority was checked.</p>;
  const nameOf = (id: string): string => {
    if (id === action.agent_id) return action.agent_name;
    return graph.data?.nodes.find((node) => node.id === id)?.name || id;
  };
  return (
    <>
      <p>
        {source === 'GRANT' ? (
          <>
            <bdi>{action.agent_name}</bdi> acts on its own grants.
          </>
        ) : (
          <>
            <bdi>{action.agent_name}</bdi> acts under a delegation.
          </>
        )}{' '}
        {capability === null ? null : (
          <>
            The tool requires <code>{capability}</code>, which the agent {held ? 'has' : 'does not have'}.{' '}
          </>
        )}
        The agent is {authorized_for_tool === true ? '' : 'not '}authorized for the tool.
      </p>
      {chain.length === 0 ? null : (
        <ol className="chain">
          {chain.map((link) => (
            <Link
              key={`${link.delegation_id} ${link.delegate_agent_id}`}
              link={link}
              nameOf={nameOf}
              isRefusing={refused?.at !== undefined && refused.at !== null && refused.at === link.delegation_id}
            />
          ))}
        </ol>
      )}
      {refused === undefined ? null : (
        <p>
          <code>{refused.code}</code> <bdi>{refused.reason}</bdi>
        </p>
      )}
    </>
  );
};
