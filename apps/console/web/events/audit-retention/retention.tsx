import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { Facts } from '../../design/facts.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';

type AuditRetention = OperationResult<'getAuditRetention'>;

const PARENT = { name: 'Audit', path: buildConsolePath('auditEvents') };

const getFacts = ({ keep_days, changed_at, removes_from, announced_leaves, removed_leaves }: AuditRetention) =>
  [
    ['Events are kept', keep_days === null ? 'Without a limit' : `At least ${keep_days} days`],
    ...(changed_at === null ? [] : [['Changed', <Time key="changed" at={changed_at} />] as const]),
    ...(removes_from === null ? [] : [['Removals start', <Time key="removes" at={removes_from} />] as const]),
    ['Announced for removal', announced_leaves === 0 ? 'None' : `Events before number ${announced_leaves}`],
    ['Removed', removed_leaves === 0 ? 'None' : `Events before number ${removed_leaves}`],
  ] as const;

/** How long audit events are kept. */
export const Retention = ({ session }: { readonly session: Session }): ReactNode => {
  const { data, error } = useOperation('getAuditRetention', {});
  const { announce, announcement } = useAnnouncement();
  const saved = ({ keep_days }: AuditRetention): void => {
    announce(keep_days === null ? 'Events are kept without a limit.' : `Events are kept for at least ${keep_days} days.`);
    void refresh('getAuditRetention');
  };
  return (
    <ConsolePage title="Retention" parent={PARENT}>
      <Problem error={error ?? undefined} />
      {announcement}
      {data === undefined && !error ? <Skeleton lines={5} /> : null}
      {data === undefined ? null : (
        <>
          <Panel title="In force">
            <Facts facts={getFacts(data)} />
          </Panel>
          {may(session, 'audit:update_retention') ? (
            <Panel title="Change">
              <Form
                submit="Save retention"
                send={({ keep_days = '', reason = '' }) =>
                  client.request('updateAuditRetention', {
                    body: { keep_days: keep_days.trim() === '' ? null : Number(keep_days), reason },
                  })
                }
                then={saved}
                fields={(fault) => (
                  <>
                    <TextField
                      error={fault}
                      name="keep_days"
                      label="Days"
                      description="At least half a year. Empty keeps events without a limit. Whole months are removed."
                      required={false}
                      maxLength={6}
                      defaultValue={data.keep_days === null ? '' : String(data.keep_days)}
                    />
                    <TextField error={fault} name="reason" label="Reason" maxLength={1000} />
                  </>
                )}
              />
            </Panel>
          ) : (
            <MissingPermission needs="audit:update_retention" to="change the retention" />
          )}
        </>
      )}
    </ConsolePage>
  );
};
