import type { BreakGlassGrant } from '@svc/contract/incidents/emergency/break-glass.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useKnownNames } from '../../data/names/known-names.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { Ago } from '../../design/ago.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { BreakGlassRule } from './break-glass-rule.tsx';
import { awaitsReview, GrantStatus, personWords, purposeWords, refreshBreakGlass } from './grant-words.tsx';
import { RequestGrant } from './request-grant.tsx';

const REFRESH_MS = 10_000;

const requestedWords = ({ status, drill }: BreakGlassGrant): string => {
  if (drill) return status === 'PENDING' ? 'The drill waits for a second person.' : 'The drill is completed. No permission was given.';
  return status === 'PENDING' ? 'Your request waits for a second person.' : 'Your access is active.';
};

type PartProps = { readonly session: Session; readonly done: (text: string) => void };

const Grants = ({ session }: Pick<PartProps, 'session'>): ReactNode => {
  const list = usePages('listBreakGlass', {});
  const known = useKnownNames(session);
  const columns: readonly Column<BreakGlassGrant>[] = [
    { name: 'Reason', show: (grant) => <bdi>{purposeWords(grant)}</bdi>, isLong: true },
    { name: 'Member', show: ({ user_id }) => <bdi>{personWords(user_id, known)}</bdi> },
    { name: 'Status', show: ({ status }) => <GrantStatus status={status} /> },
    { name: 'Minutes', show: ({ minutes }) => minutes, isNumber: true },
    { name: 'Requested', show: ({ requested_at }) => <Time at={requested_at} /> },
    {
      name: 'Ends',
      show: ({ status, expires_at, request_expires_at }) => {
        if (status === 'PENDING') return <Ago at={request_expires_at} />;
        return status === 'ACTIVE' && expires_at !== null ? <Ago at={expires_at} /> : '–';
      },
    },
    { name: 'Review', show: (grant) => (awaitsReview(grant) ? 'Missing' : grant.mode === 'TWO_PEOPLE' || grant.drill ? '–' : 'Done') },
  ];
  return (
    <Panel title="Requests and grants">
      <ListTable
        label="Requests and grants"
        list={list}
        columns={columns}
        pathOf={({ id }) => buildConsolePath('breakGlassGrant', { breakGlassId: id })}
        empty="No one requested break-glass access."
      />
    </Panel>
  );
};

const Rule = ({ session, done }: PartProps): ReactNode => {
  const { data: settings, error } = useOperation('getBreakGlassSettings', {});
  const known = useKnownNames(session);
  return (
    <>
      <Problem error={error ?? undefined} />
      {settings === undefined ? null : (
        <BreakGlassRule settings={settings} done={done} mayChange={may(session, 'organization:update')} known={known} />
      )}
    </>
  );
};

const PARENT = { name: 'Emergency', path: buildConsolePath('emergency') };

/** Break-glass access: the request, the rule, and who had it. Everyone may request it; reading the others needs a permission. */
export const BreakGlass = ({ session }: { readonly session: Session }): ReactNode => {
  const mayRead = may(session, 'incident:read');
  const { data: settings } = useOperation('getBreakGlassSettings', {}, { isEnabled: mayRead, everyMs: REFRESH_MS });
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refreshBreakGlass();
  };
  return (
    <ConsolePage title="Break-glass access" parent={PARENT}>
      {announcement}
      <Panel title="Request">
        <p>You get the permissions of the role security in this session, for a limited time. A report lists each change you make.</p>
        <RequestGrant session={session} mode={settings?.mode} done={(grant) => done(requestedWords(grant))} />
      </Panel>
      {mayRead ? (
        <>
          <Grants session={session} />
          <Rule session={session} done={done} />
        </>
      ) : (
        <MissingPermission needs="incident:read" to="see requests and grants" />
      )}
    </ConsolePage>
  );
};
