import type { OperationInput } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { useStream } from '../../data/follow-stream.ts';
import { useMoreNames } from '../../data/names/further-names.ts';
import { type Known, useKnownNames } from '../../data/names/known-names.ts';
import { getName } from '../../data/names/named-ids.ts';
import { getObjectPath } from '../../data/object-path.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Button, Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import type { AuditEvent } from './audit-event.ts';
import { type Filter, readQueryFilter } from './audit-filter.ts';
import { Export } from './export.tsx';
import { FilterForm, type FilterProps } from './filter.tsx';
import { Verify } from './verify.tsx';

const getKind = (type: string): string => type.toLowerCase().replaceAll('_', ' ');

const listColumns = (known: readonly Known[]): readonly Column<AuditEvent>[] => [
  { name: 'Event', show: ({ type }) => type },
  { name: 'Time', show: ({ occurred_at }) => <Time at={occurred_at} /> },
  {
    name: 'Actor',
    show: ({ actor }) => <bdi title={actor.id}>{`${actor.name ?? getName(actor.id, known) ?? actor.id} (${getKind(actor.type)})`}</bdi>,
  },
  {
    name: 'Subject',
    show: ({ subject }) => {
      const path = getObjectPath(subject.id);
      const text = <bdi title={subject.id}>{`${getName(subject.id, known) ?? subject.id} (${getKind(subject.type)})`}</bdi>;
      return path === undefined ? text : <a href={path}>{text}</a>;
    },
  },
  { name: 'Severity', show: ({ severity }) => severity },
];

/** The query of the search in the address, so that it can be bookmarked and sent. */
const getAddress = (filter: Filter): string => {
  const query = String(new URLSearchParams(filter));
  return query === '' ? buildConsolePath('auditEvents') : `${buildConsolePath('auditEvents')}?${query}`;
};

const Events = ({
  filter,
  known: listed,
  session,
}: {
  readonly filter: Filter;
  readonly known: readonly Known[];
  readonly session: Session;
}) => {
  const list = usePages('searchAuditEvents', { query: filter } as OperationInput<'searchAuditEvents'>);
  const ids = (list.items ?? []).flatMap(({ actor, subject }) => (actor.name === null ? [actor.id, subject.id] : [subject.id]));
  const known = useMoreNames([...new Set(ids)], listed, session);
  return (
    <ListTable
      label="Events"
      list={list}
      isCounted
      columns={listColumns(known)}
      pathOf={({ id }) => buildConsolePath('auditEvent', { eventId: id })}
      empty={Object.keys(filter).length === 0 ? 'No events yet.' : 'No events match the search.'}
    />
  );
};

const FOLLOWED = ['type', 'actor_id', 'subject_id', 'severity', 'request_id'] as const;

/** The part of a search that a stream of events takes too. */
const followedFilter = (filter: Filter): OperationInput<'streamEvents'>['query'] =>
  Object.fromEntries(FOLLOWED.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]]])));

/** Shows new events as they happen, until it is switched off. */
const LiveTail = ({ filter }: { readonly filter: Filter }): ReactNode => {
  const [isOn, setOn] = useState(false);
  const query = followedFilter(filter);
  const isLive = useStream(
    JSON.stringify(query),
    (options) => client.request('streamEvents', { query, ...options } as OperationInput<'streamEvents'>),
    () => void refresh('searchAuditEvents'),
    isOn,
  );
  return (
    <>
      <Button size="xs" variant="default" aria-pressed={isOn} onClick={() => setOn(!isOn)}>
        Live tail
      </Button>
      <span role="status" className="quiet-text">
        {isOn ? (isLive ? 'Live' : 'Connecting…') : ''}
      </span>
    </>
  );
};

/** Below this width the fields of a search would fill the screen before the first event. */
const WIDE = '(min-width: 901px)';

/** The search, folded on phones as long as nothing is searched for. */
const Filters = (props: FilterProps): ReactNode => {
  const [isOpen, setOpen] = useState(() => matchMedia(WIDE).matches);
  const count = Object.keys(props.filter).length;
  return (
    <details className="audit-filters" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Search{count === 0 ? '' : ` (${count} ${count === 1 ? 'filter' : 'filters'})`}</summary>
      <FilterForm {...props} />
    </details>
  );
};

/** The audit log: search, export and verification. */
export const Audit = ({ session }: { readonly session: Session }): ReactNode => {
  const [filter, setFilter] = useState<Filter>(() => readQueryFilter(location.search));
  const known = useKnownNames(session);
  const search = (next: Filter): void => {
    history.replaceState(null, '', getAddress(next));
    setFilter(next);
    void refresh('searchAuditEvents');
  };
  const actions = (
    <>
      <LiveTail filter={filter} />
      <a href={buildConsolePath('retention')}>Retention</a>
      {may(session, 'audit:export') ? <DialogButton label="Export">{() => <Export filter={filter} />}</DialogButton> : null}
    </>
  );
  return (
    <ConsolePage title="Audit" actions={actions}>
      <Text>Tamper-evident record of every change.</Text>
      {may(session, 'audit:verify') ? <Verify /> : <MissingPermission needs="audit:verify" to="verify the record" />}
      {may(session, 'audit:export') ? null : <MissingPermission needs="audit:export" to="export the record" />}
      <Filters filter={filter} known={known} session={session} onSearch={search} />
      <Events filter={filter} known={known} session={session} />
    </ConsolePage>
  );
};
