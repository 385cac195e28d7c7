import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { formatCeiling } from '../../actions/actions/authority.tsx';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Id } from '../../design/id.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { ReasonForm } from '../../design/reason-form.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Cascade } from './cascade.tsx';
import { DELEGATION_TONES, formatScope, getDelegationStatus } from './list.tsx';

type Delegation = OperationResult<'getDelegation'>;

const PARENT = { name: 'Delegations', path: buildConsolePath('delegations') };

const BACKING: Readonly<Record<NonNullable<Delegation['backing']>, string>> = {
  HELD: 'The person has the authority.',
  LACKED: 'The person lost the authority, so the delegation grants nothing.',
  GONE: 'The person left, so the delegation grants nothing.',
};

type DelegationPageProps = { readonly params: RouteParams<'delegation'>; readonly session: Session };

/** One delegation: its scope, its ceiling, and what ends with it. */
export const DelegationPage = ({ params, session }: DelegationPageProps): ReactNode => {
  const { data, error } = useOperation('getDelegation', { params });
  const { announce, announcement } = useAnnouncement();
  const graph = useOperation(
    'getDelegationGraph',
    { query: { agent_id: data?.delegate_agent_id ?? '' } },
    { isEnabled: data !== undefined },
  );
  const nameOf = (id: string): string => graph.data?.nodes.find((node) => node.id === id)?.name || id;
  const mayRevoke = data?.status === 'ACTIVE' && may(session, 'delegation:revoke');
  const revoke = mayRevoke ? (
    <DialogButton label="Revoke" isDanger title="Revoke this delegation">
      {(close) => (
        <ReasonForm
          submit="Revoke"
          isDanger
          send={(reason) => client.request('revokeDelegation', { params, body: { reason } })}
          then={() => {
            close();
            announce('Revoked.');
            void refresh('getDelegation', 'getDelegationGraph', 'listDelegations', 'getAgentAuthority');
          }}
        >
          <Cascade delegationId={params.delegationId} />
        </ReasonForm>
      )}
    </DialogButton>
  ) : null;
  const title = data === undefined ? 'Delegation' : `${nameOf(data.delegator.id)} to ${nameOf(data.delegate_agent_id)}`;
  return (
    <ConsolePage title={title} parent={PARENT} actions={revoke}>
      <Problem error={error ?? undefined} />
      {announcement}
      {data === undefined && !error ? <Skeleton lines={6} /> : null}
      {data === undefined ? null : (
        <div className="split">
          <div>
            <Panel title="Authority">
              <Facts
                facts={[
                  [
                    'Status',
                    <StatusPill key="status" tone={DELEGATION_TONES[data.status]}>
                      {getDelegationStatus(data.status)}
                    </StatusPill>,
                  ],
                  ['Scope', formatScope(data.scope)],
                  ['Ceiling', formatCeiling(data.ceiling) || 'None'],
                  ['Expires', data.expires_at === null ? 'Never' : <Time key="expires" at={data.expires_at} />],
                  ['Passed on', data.can_redelegate ? `at most ${data.max_depth} deep` : 'not allowed'],
                  ...(data.backing === null ? [] : [['Backing', BACKING[data.backing]] as const]),
                  ...(data.ended_reason === null ? [] : [['Ended', data.ended_reason] as const]),
                  [
                    'Agent',
                    <a key="agent" href={buildConsolePath('agent', { agentId: data.delegate_agent_id })}>
                      {nameOf(data.delegate_agent_id)}
                    </a>,
                  ],
                  ['Created', <Time key="created" at={data.created_at} />],
                  ['Id', <Id key="id" id={data.id} />],
                ]}
              />
              <a href={`${buildConsolePath('actions')}?delegation_id=${data.id}`}>Actions under this delegation</a>
            </Panel>
          </div>
          <div>
            {data.status === 'ACTIVE' ? (
              <Panel title="Ends with it">
                <Cascade delegationId={data.id} />
              </Panel>
            ) : null}
          </div>
        </div>
      )}
    </ConsolePage>
  );
};
