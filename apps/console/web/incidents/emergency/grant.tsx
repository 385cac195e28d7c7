import type { BreakGlassGrant, BreakGlassReport } from '@svc/contract/incidents/emergency/break-glass.ts';
import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useEffect } from 'react';
import { client } from '../../data/client.ts';
import { useKnownNames } from '../../data/names/known-names.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { refreshSession } from '../../data/use-session.ts';
import { Ago } from '../../design/ago.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Id } from '../../design/id.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { ReasonForm } from '../../design/reason-form.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { awaitsReview, GrantStatus, MODE_NAMES, personWords, purposeWords, refreshBreakGlass } from './grant-words.tsx';

const REFRESH_MS = 10_000;
const SECOND_MS = 1_000;

type Known = readonly { readonly id: string; readonly name: string }[];

const decidedAfter = (requestedAt: string, decidedAt: string): string =>
  `${Math.max(0, Math.round((Date.parse(decidedAt) - Date.parse(requestedAt)) / SECOND_MS))} s after the request`;

const listFacts = (grant: BreakGlassGrant, known: Known) => {
  const { status, mode, minutes, drill, user_id, decided_by, decided_at, expires_at, ended_at, reviewed_by, incident_id } = grant;
  return [
    ['Status', <GrantStatus key="status" status={status} />],
    ...(drill ? [['Purpose', 'Drill: gives no permission'] as const] : []),
    ['Member', personWords(user_id, known)],
    ['Rule', MODE_NAMES[mode]],
    ['Minutes', String(minutes)],
    ['Requested', <Time key="requested" at={grant.requested_at} />],
    ...(status === 'PENDING' ? [['Decision until', <Ago key="until" at={grant.request_expires_at} />] as const] : []),
    ...(decided_by === null ? [] : [['Decided by', personWords(decided_by, known)] as const]),
    ...(decided_at === null ? [] : [['Decided', decidedAfter(grant.requested_at, decided_at)] as const]),
    ...(status === 'ACTIVE' && expires_at !== null ? [['Expires', <Ago key="expires" at={expires_at} />] as const] : []),
    ...(ended_at === null ? [] : [['Ended', <Time key="ended" at={ended_at} />] as const]),
    ...(mode === 'SELF_WITH_NOTICE' && !drill
      ? [['Reviewed by', reviewed_by === null ? 'No one yet' : personWords(reviewed_by, known)] as const]
      : []),
    ...(incident_id === null
      ? []
      : ([
          [
            'Incident',
            <a key="incident" href={buildConsolePath('incident', { incidentId: incident_id })}>
              {incident_id}
            </a>,
          ],
        ] as const)),
    ['Id', <Id key="id" id={grant.id} />],
  ] as const;
};

type ReportEvent = BreakGlassReport['events'][number];

const EVENTS: readonly Column<ReportEvent>[] = [
  { name: 'Event', show: ({ type }) => type },
  { name: 'Time', show: ({ occurred_at }) => <Time at={occurred_at} /> },
  { name: 'Subject', show: ({ subject_id }) => <Id id={subject_id} /> },
];

/** The changes that were made under the grant. */
const Report = ({ breakGlassId }: { readonly breakGlassId: string }): ReactNode => {
  const { data: report, error } = useOperation('getBreakGlassReport', { params: { breakGlassId } }, { everyMs: REFRESH_MS });
  return (
    <Panel title="Report">
      <Problem error={error ?? undefined} />
      <Table
        label="Report"
        rows={report?.events}
        columns={EVENTS}
        keyOf={({ id }) => id}
        pathOf={({ id }) => buildConsolePath('auditEvent', { eventId: id })}
        empty="Nothing was changed under this grant."
      />
      {report?.listed_all === false ? <p>The audit page has the rest.</p> : null}
    </Panel>
  );
};

type ActionsProps = { readonly grant: BreakGlassGrant; readonly session: Session; readonly done: (text: string) => void };

const Actions = ({ grant, session, done }: ActionsProps): ReactNode => {
  const { id, status, user_id } = grant;
  const params = { breakGlassId: id };
  const isOwn = user_id === session.user?.id;
  const mayDecide = may(session, 'emergency:execute') && !isOwn;
  const isReview = awaitsReview(grant);
  const then = (close: () => void, text: string) => () => {
    close();
    done(text);
  };
  return (
    <>
      {mayDecide && (status === 'PENDING' || isReview) ? (
        <DialogButton label={isReview ? 'Review' : 'Approve'} isPrimary>
          {(close) => (
            <ReasonForm
              submit={isReview ? 'Review' : 'Approve'}
              send={(reason) => client.request('approveBreakGlass', { params, body: { reason } })}
              then={then(close, isReview ? 'The grant is reviewed.' : grant.drill ? 'The drill is completed.' : 'The access is active.')}
            />
          )}
        </DialogButton>
      ) : null}
      {mayDecide && status === 'PENDING' ? (
        <DialogButton label="Deny" isDanger>
          {(close) => (
            <ReasonForm
              submit="Deny"
              isDanger
              send={(reason) => client.request('denyBreakGlass', { params, body: { reason } })}
              then={then(close, 'The request is denied.')}
            />
          )}
        </DialogButton>
      ) : null}
      {(isOwn || mayDecide) && (status === 'ACTIVE' || (isOwn && status === 'PENDING')) ? (
        <DialogButton label={status === 'ACTIVE' ? 'End access' : 'Withdraw'} isDanger>
          {(close) => (
            <ReasonForm
              submit={status === 'ACTIVE' ? 'End access' : 'Withdraw'}
              isDanger
              send={(reason) => client.request('endBreakGlass', { params, body: { reason } })}
              then={then(close, status === 'ACTIVE' ? 'The access ended.' : 'The request is withdrawn.')}
            />
          )}
        </DialogButton>
      ) : null}
    </>
  );
};

const PARENT = { name: 'Break-glass access', path: buildConsolePath('breakGlass') };

type GrantPageProps = { readonly params: RouteParams<'breakGlassGrant'>; readonly session: Session };

/** One request or grant: its state, the decision of a second person, and what was changed under it. */
export const BreakGlassGrantPage = ({ params, session }: GrantPageProps): ReactNode => {
  const { data: grant, error } = useOperation('getBreakGlass', { params }, { everyMs: REFRESH_MS });
  const known = useKnownNames(session);
  const status = grant?.status;
  const isOwn = grant !== undefined && grant.user_id === session.user?.id;
  useEffect(() => {
    // Another person approved it, or its time is up: this session may do more, or less.
    if (isOwn && status !== undefined) void refreshSession();
  }, [isOwn, status]);
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refreshBreakGlass();
  };
  return (
    <ConsolePage
      title={grant === undefined ? 'Break-glass grant' : purposeWords(grant)}
      parent={PARENT}
      actions={grant ? <Actions grant={grant} session={session} done={done} /> : null}
    >
      <Problem error={error ?? undefined} />
      {announcement}
      {may(session, 'emergency:execute') ? null : <MissingPermission needs="emergency:execute" to="decide about requests of others" />}
      {grant === undefined && !error ? <Skeleton lines={6} /> : null}
      {grant === undefined ? null : (
        <>
          <Facts facts={listFacts(grant, known)} />
          {may(session, 'audit:read') ? <Report breakGlassId={grant.id} /> : <MissingPermission needs="audit:read" to="see the report" />}
        </>
      )}
    </ConsolePage>
  );
};
