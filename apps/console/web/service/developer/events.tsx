import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { getShownJson } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { useQueryState } from '../../data/use-query-state.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Problem } from '../../design/problem.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';

type Types = OperationResult<'listEventTypes'>;
type Row = { readonly type: string; readonly isForWebhooks: boolean; readonly waiting: string | undefined };

const NAMES = ['q'] as const;

const listRows = ({ all, webhook_subscribable, waiting }: Types, text: string): readonly Row[] =>
  all
    .filter((type) => type.includes(text.trim().toLowerCase()))
    .map((type) => ({ type, isForWebhooks: webhook_subscribable.includes(type), waiting: waiting[type] }));

/** The newest event of a type in the organization. */
const Example = ({ type }: { readonly type: string }): ReactNode => {
  const { data, error } = useOperation('searchAuditEvents', { query: { type, limit: 1 } });
  const [event] = data?.data ?? [];
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Skeleton lines={6} />;
  if (event === undefined) return <p>No event of this type has happened in your organization yet.</p>;
  return (
    <>
      <p>
        The newest one in your organization. <a href={buildConsolePath('auditEvent', { eventId: event.id })}>Open it</a>
      </p>
      <pre className="request">{getShownJson(event)}</pre>
    </>
  );
};

/** Every type of event, with an example from the record. */
export const EventTypes = ({ session }: { readonly session: Session }): ReactNode => {
  const { data, error } = useOperation('listEventTypes', {});
  const { values, set } = useQueryState(NAMES);
  const mayRead = may(session, 'audit:read');
  const columns: readonly Column<Row>[] = [
    { name: 'Type', show: ({ type }) => <code>{type}</code> },
    { name: 'Webhooks', show: ({ isForWebhooks }) => (isForWebhooks ? 'Yes' : 'No') },
    { name: 'Note', show: ({ waiting }) => (waiting === undefined ? '' : `Not emitted yet: ${waiting}`), isLong: true },
    ...(mayRead
      ? [
          {
            name: 'Example',
            isActions: true,
            show: ({ type }: Row) => (
              <DialogButton label="Example" to={type}>
                {() => <Example type={type} />}
              </DialogButton>
            ),
          },
        ]
      : []),
  ];
  return (
    <ConsolePage title="Event types">
      {mayRead ? null : <MissingPermission needs="audit:read" to="see examples" />}
      <SearchField label="Part of a type" value={values.q ?? ''} onChange={(q) => set({ q })} />
      <Problem error={error ?? undefined} />
      {error ? null : (
        <Table
          label="Event types"
          columns={columns}
          rows={data === undefined ? undefined : listRows(data, values.q ?? '')}
          keyOf={({ type }) => type}
          empty="No type matches."
        />
      )}
    </ConsolePage>
  );
};
