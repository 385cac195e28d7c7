import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../../data/use-operation.ts';
import { Time } from '../../design/time.tsx';
import type { Action } from './action.ts';

const EVENTS_MAX = 50;

/** The audit events about the action, oldest first. */
export const ActionEvents = ({ action }: { readonly action: Action }): ReactNode => {
  const { data, error } = useOperation('searchAuditEvents', { query: { subject_id: action.id, limit: EVENTS_MAX } });
  if (error) return <p>{error.message}</p>;
  return (
    <ol className="rows">
      {data?.data.toReversed().map(({ id, type, occurred_at }) => (
        <li key={id}>
          <a href={buildConsolePath('auditEvent', { eventId: id })}>{type}</a>
          <Time at={occurred_at} />
        </li>
      ))}
    </ol>
  );
};
