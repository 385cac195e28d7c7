import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Id } from '../../design/id.tsx';
import { Button } from '../../design/kit.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { ReasonForm } from '../../design/reason-form.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Bindings } from './bindings.tsx';
import { buildReviewPath, formatStatus, getActive, getNewest, getRules, type Policy, STATUS_TONES } from './policy.ts';
import { RuleList } from './rule-text.tsx';
import { Versions } from './versions.tsx';

type PartProps = { readonly policy: Policy; readonly session: Session; readonly done: (text: string) => void };

const Suspend = ({ policy, session, done }: PartProps): ReactNode =>
  policy.status !== 'ACTIVE' || !may(session, 'policy:activate') ? null : (
    <DialogButton label="Suspend" isDanger title={`Suspend ${policy.name}`}>
      {(close) => (
        <ReasonForm
          submit="Suspend"
          isDanger
          send={(reason) => client.request('suspendPolicy', { params: { policyId: policy.id }, body: { reason } })}
          then={() => {
            close();
            done('Suspended.');
            void refresh('getPolicy', 'listPolicies');
          }}
        >
          <p>None of its rules decides any more. Actions that only this policy allows are blocked.</p>
        </ReasonForm>
      )}
    </DialogButton>
  );

const Content = ({ policy, session, done }: PartProps): ReactNode => {
  const [newest, active] = [getNewest(policy), getActive(policy)];
  const shown = active ?? newest;
  return (
    <>
      <div className="answer-head">
        <StatusPill tone={STATUS_TONES[policy.status]}>{formatStatus(policy)}</StatusPill>
        <bdi className="quiet-text">{policy.description}</bdi>
      </div>
      {newest !== undefined && newest.version_id !== active?.version_id ? (
        <div>
          <Button component="a" href={buildReviewPath(policy.id, newest.version_number)}>
            Review v{newest.version_number}
          </Button>
        </div>
      ) : null}
      <div className="split">
        <div>
          <Panel title={shown === undefined ? 'Rules' : `Rules of version ${shown.version_number}`}>
            <RuleList rules={getRules(shown)} currency={shown?.currency ?? ''} />
          </Panel>
        </div>
        <div>
          <Panel title="Applies to">
            <Bindings policy={policy} session={session} done={done} />
          </Panel>
          <Panel title="Versions">
            <Versions policy={policy} session={session} done={done} />
          </Panel>
          <Panel title="Policy">
            <Facts
              facts={[
                ['Currency', shown?.currency ?? ''],
                ['Created', <Time key="created" at={policy.created_at} />],
                ['Changed', <Time key="updated" at={policy.updated_at} />],
                ['Id', <Id key="id" id={policy.id} />],
              ]}
            />
            <a href={`${buildConsolePath('actions')}?policy_id=${policy.id}`}>Actions that it decided</a>
          </Panel>
        </div>
      </div>
    </>
  );
};

type PolicyPageProps = { readonly params: RouteParams<'policy'>; readonly session: Session };

const PARENT = { name: 'Policies', path: buildConsolePath('policies') };

/** One policy: its rules in words, where it applies, and its versions. */
export const PolicyPage = ({ params, session }: PolicyPageProps): ReactNode => {
  const { data: policy, error } = useOperation('getPolicy', { params });
  const { announce, announcement } = useAnnouncement();
  const actions =
    policy === undefined ? null : (
      <>
        <Button component="a" variant="default" size="sm" href={buildConsolePath('policyEditor', { policyId: policy.id })}>
          {may(session, 'policy:update') ? 'Edit' : 'Open editor'}
        </Button>
        <Suspend policy={policy} session={session} done={announce} />
      </>
    );
  return (
    <ConsolePage title={policy?.name ?? 'Policy'} parent={PARENT} actions={actions}>
      <Problem error={error ?? undefined} />
      {announcement}
      {policy === undefined && !error ? <Skeleton lines={8} /> : null}
      {policy === undefined ? null : <Content policy={policy} session={session} done={announce} />}
    </ConsolePage>
  );
};
