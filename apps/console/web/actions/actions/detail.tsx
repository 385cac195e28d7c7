import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { getShownJson } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { CodeTabs } from '../../design/code-tabs.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Id } from '../../design/id.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type RequestRisk, RiskSum } from '../../risk/risk-events/risk-sum.tsx';
import { type Action, formatActionTitle } from './action.ts';
import { AlternativeOutcomes } from './alternative-outcomes.tsx';
import { Answer } from './answer.tsx';
import { AuthorityChain } from './authority.tsx';
import { formatCalls } from './copy-call.ts';
import { ActionEvents } from './events.tsx';
import { Receipt } from './receipt.tsx';
import { Rules } from './rules.tsx';
import { Similar } from './similar.tsx';
import { Stages } from './stages.tsx';

const CopyCall = ({ action }: { readonly action: Action }): ReactNode => {
  const { data } = useOperation('getInfo', {});
  const calls = formatCalls(action, data?.gateway_url ?? '$GATEWAY_URL');
  return (
    <>
      <CodeTabs label="The same request" tabs={calls.request} />
      <CodeTabs label="Read this decision" tabs={calls.record} />
    </>
  );
};

const Request = ({ action }: { readonly action: Action }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const { destination, idempotency_key, execution, approval_id } = action;
  return (
    <>
      <Facts
        facts={[
          ['Environment', getEnvironmentLabel(action.environment_id, environments)],
          ['Time', <Time key="time" at={action.created_at} />],
          ...(destination === null ? [] : [['Destination', destination] as const]),
          ...(idempotency_key === null ? [] : [['Idempotency key', idempotency_key] as const]),
          ...(execution === null
            ? []
            : [
                [
                  'Execution',
                  `${execution.state.toLowerCase().replaceAll('_', ' ')}${execution.http_status === undefined ? '' : `, HTTP ${execution.http_status}`}${execution.duration_ms === undefined ? '' : `, ${Math.round(execution.duration_ms)} ms`}`,
                ] as const,
              ]),
          ...(approval_id === null
            ? []
            : [
                [
                  'Approval',
                  <a key="approval" href={buildConsolePath('approval', { approvalId: approval_id })}>
                    {action.approval?.used_at ? 'Approved and used' : 'Open approval'}
                  </a>,
                ] as const,
              ]),
          ['Action', <Id key="id" id={action.id} />],
          ['Request', <Id key="request" id={action.request_id} />],
          ['Trace', <code key="trace">{action.trace_id}</code>],
        ]}
      />
      <h3>Parameters</h3>
      <pre className="request">{getShownJson(action.parameters)}</pre>
    </>
  );
};

const readRisk = ({ explanation }: Action): RequestRisk => explanation.risk as RequestRisk;

const Content = ({ action, session }: { readonly action: Action; readonly session: Session }): ReactNode => (
  <>
    <Answer action={action} session={session} />
    <div className="split">
      <div>
        <Panel title="Rules" id="rules">
          <Rules action={action} />
        </Panel>
        <Panel title="Authority" id="authority">
          <AuthorityChain action={action} session={session} />
        </Panel>
        {readRisk(action).signals.length > 0 ? (
          <Panel title="Risk">
            <RiskSum risk={readRisk(action)} />
          </Panel>
        ) : null}
        <Panel title="Checks" id="checks">
          <Stages action={action} />
        </Panel>
      </div>
      <div>
        {action.decision === 'ALLOW' ? null : (
          <Panel title="Ways to another outcome">
            <AlternativeOutcomes action={action} session={session} />
          </Panel>
        )}
        <Panel title="Request">
          <Request action={action} />
        </Panel>
        <Panel title="Same agent and tool">
          <Similar action={action} />
        </Panel>
        {may(session, 'audit:read') ? (
          <Panel title="Events">
            <ActionEvents action={action} />
          </Panel>
        ) : null}
      </div>
    </div>
  </>
);

type ActionPageProps = { readonly params: RouteParams<'action'>; readonly session: Session };

const PARENT = { name: 'Actions', path: buildConsolePath('actions') };

/** Shows why a request of an agent was decided as it was. */
export const ActionPage = ({ params, session }: ActionPageProps): ReactNode => {
  const { data: action, error } = useOperation('getAction', { params });
  const actions =
    action === undefined ? null : (
      <>
        <DialogButton label="Copy as code">{() => <CopyCall action={action} />}</DialogButton>
        {may(session, 'audit:read') ? <Receipt action={action} /> : null}
      </>
    );
  return (
    <ConsolePage title={action === undefined ? 'Action' : formatActionTitle(action)} parent={PARENT} actions={actions}>
      <Problem error={error ?? undefined} />
      {action === undefined && !error ? <Skeleton lines={8} /> : null}
      {action === undefined ? null : <Content action={action} session={session} />}
    </ConsolePage>
  );
};
