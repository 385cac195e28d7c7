import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { formatDrawn, getShownJson } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Facts } from '../../design/facts.tsx';
import { Id } from '../../design/id.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { GiveVerdict } from './give-verdict.tsx';
import { type RequestRisk, RiskSum } from './risk-sum.tsx';
import { formatSignal, type RiskEvent, RiskEventStatus, refreshRisk } from './risk-words.tsx';

const agentLink = (agentId: string): ReactNode => <a href={buildConsolePath('agent', { agentId })}>{agentId}</a>;

const listFacts = (event: RiskEvent, environment: string) =>
  [
    ['Status', <RiskEventStatus key="status" {...event} />],
    ['Agent', agentLink(event.agent_id)],
    ['Environment', environment],
    ['Finding', formatDrawn(event.sentence)],
    ['Subject', formatDrawn(event.subject)],
    ['Requests', String(event.count)],
    ['Highest score', String(event.score)],
    ['First', <Time key="first" at={event.first_at} />],
    ['Last', <Time key="last" at={event.last_at} />],
    ...(event.comment === null ? [] : [['Comment', formatDrawn(event.comment)] as const]),
    ...(event.acknowledged_by === null ? [] : [['Verdict by', event.acknowledged_by] as const]),
    ['Id', <Id key="id" id={event.id} />],
  ] as const;

/** The last request of the event, whose points add up to its score. */
const LastRequest = ({ actionId }: { readonly actionId: string }): ReactNode => {
  const { data: action, error } = useOperation('getAction', { params: { actionId } });
  if (error) return <Problem error={error} />;
  if (action === undefined) return <Skeleton lines={3} />;
  return (
    <>
      <RiskSum risk={action.explanation.risk as RequestRisk} />
      <a href={buildConsolePath('action', { actionId })}>Open the action</a>
    </>
  );
};

type RiskEventPageProps = { readonly params: RouteParams<'riskEvent'>; readonly session: Session };

const PARENT = { name: 'Risk', path: buildConsolePath('risk') };

/** One risk event: what was found, how it counts, and the verdict on it. */
export const RiskEventPage = ({ params, session }: RiskEventPageProps): ReactNode => {
  const { data: event, error } = useOperation('getRiskEvent', { params });
  const environments = useEnvironments() ?? [];
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refreshRisk();
  };
  const mayJudge = may(session, 'risk:acknowledge');
  return (
    <ConsolePage
      title={event === undefined ? 'Risk event' : formatSignal(event.signal)}
      parent={PARENT}
      actions={event && mayJudge && event.status !== 'ACKNOWLEDGED' ? <GiveVerdict event={event} done={done} /> : null}
    >
      <Problem error={error ?? undefined} />
      {announcement}
      {mayJudge ? null : <MissingPermission needs="risk:acknowledge" to="give a verdict" />}
      {event === undefined && !error ? <Skeleton lines={6} /> : null}
      {event === undefined ? null : (
        <>
          <Facts facts={listFacts(event, getEnvironmentLabel(event.environment_id, environments))} />
          {event.last_action_id !== null && may(session, 'action:read') ? (
            <Panel title="Score of the last request">
              <LastRequest actionId={event.last_action_id} />
            </Panel>
          ) : null}
          <Panel title="Evidence">
            <pre className="request">{getShownJson(event.evidence)}</pre>
          </Panel>
        </>
      )}
    </ConsolePage>
  );
};
