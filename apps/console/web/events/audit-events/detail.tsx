import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { useMoreNames } from '../../data/names/further-names.ts';
import { type Known, useKnownNames } from '../../data/names/known-names.ts';
import { getIds, getName, getNames } from '../../data/names/named-ids.ts';
import { getObjectPath } from '../../data/object-path.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { getShownJson } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Group, Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Save } from '../../design/save-file.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type AuditEvent, getChanges, getReasons, getRest } from './audit-event.ts';

type WithNames = { readonly event: AuditEvent; readonly known: readonly Known[]; readonly session: Session };

/** An id as a link to its page, where it has one. */
const IdLink = ({ id }: { readonly id: string }): ReactNode => {
  const path = getObjectPath(id);
  const text = <code className="id">{id}</code>;
  return path === undefined ? text : <a href={path}>{text}</a>;
};

type NamedProps = { readonly id: string; readonly name: string | undefined; readonly what: string };

/** A name where it is known, and always the id, which one click selects. */
const Named = ({ id, name, what }: NamedProps): ReactNode => (
  <>
    {name === undefined ? null : (
      <>
        <bdi>{name}</bdi>,{' '}
      </>
    )}
    {what.toLowerCase().replaceAll('_', ' ')} <IdLink id={id} />
  </>
);

const Changes = ({ event }: { readonly event: AuditEvent }): ReactNode => {
  const changes = getChanges(event);
  if (changes.length === 0) return null;
  return (
    <table className="changes">
      <caption>Changes</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <bdi>{before}</bdi>
            </td>
            <td>
              <bdi>{after}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** Names of the ids in the data of the event. */
const NamesInData = ({ event, known }: WithNames): ReactNode => {
  const { actor, subject, environment_id } = event;
  const shown = [actor.id, subject.id, environment_id];
  const names = getNames(JSON.stringify(event.data), known).filter(({ id }) => !shown.includes(id));
  if (names.length === 0) return null;
  return (
    <Facts
      facts={names.map(
        ({ id, name }) =>
          [
            name,
            <code key={id} className="id">
              {id}
            </code>,
          ] as const,
      )}
    />
  );
};

type KeptFile = { readonly name: string; readonly text: string };

/** Downloads of the proof that the event is in the signed log, and of the receipt of a decision. Both can be verified offline. */
const Proofs = ({ event, session }: Omit<WithNames, 'known'>): ReactNode => {
  const [files, setFiles] = useState<readonly KeptFile[]>([]);
  const keep = (name: string, text: string): void => setFiles([...files.filter((file) => file.name !== name), { name, text }]);
  const { id, subject } = event;
  return (
    <>
      <Group gap="xs">
        {may(session, 'audit:verify') ? (
          <ActionButton
            does="Get proof"
            to={`${event.type}, ${id}`}
            send={() => client.request('getAuditEventProof', { params: { eventId: id } })}
            then={(proof) => keep(`${id}.proof.json`, `${JSON.stringify({ event, proof }, null, 2)}\n`)}
          />
        ) : null}
        {subject.type === 'action' && may(session, 'action:read') ? (
          <ActionButton
            does="Get receipt"
            to={subject.id}
            send={() => client.request('getActionReceipt', { params: { actionId: subject.id } })}
            then={({ receipt }) => keep(`${subject.id}.receipt.jws`, receipt)}
          />
        ) : null}
      </Group>
      <div role="status">
        {files.map(({ name, text }) => (
          <Text key={name}>
            <Save text={text} name={name}>
              Download {name}
            </Save>
          </Text>
        ))}
      </div>
    </>
  );
};

const buildFacts = (event: AuditEvent, known: readonly Known[]) => {
  const { actor, subject, environment_id } = event;
  return [
    ['Time', <Time key="time" at={event.occurred_at} />],
    ['Severity', event.severity],
    ['Actor', <Named key="actor" id={actor.id} name={actor.name ?? getName(actor.id, known)} what={actor.type} />],
    ['Subject', <Named key="subject" id={subject.id} name={getName(subject.id, known)} what={subject.type} />],
    ...(typeof event.data.tool === 'string' ? [['Tool', event.data.tool] as const] : []),
    ...getReasons(event),
    ...(environment_id === null
      ? []
      : [['Environment', <Named key="in" id={environment_id} name={getName(environment_id, known)} what="environment" />] as const]),
    ['Event', event.id],
    ['Request', event.request_id],
    ['In the log', event.sequence === null ? 'Not sealed yet' : `Leaf ${event.sequence}`],
  ] as const;
};

const Content = ({ event, known: listed, session }: WithNames): ReactNode => {
  const known = useMoreNames([event.actor.id, event.subject.id, ...getIds(JSON.stringify(event.data))], listed, session);
  const rest = getRest(event);
  return (
    <>
      <Facts facts={buildFacts(event, known)} />
      <Changes event={event} />
      {Object.keys(rest).length === 0 ? null : <pre className="request">{getShownJson(rest)}</pre>}
      <NamesInData event={event} known={known} session={session} />
      <Proofs event={event} session={session} />
    </>
  );
};

/** The explanation of the action that the event is about. */
const WhyLink = ({ event: { subject, data } }: { readonly event: AuditEvent }): ReactNode => {
  const id = subject.type === 'action' ? subject.id : data.action_id;
  const path = typeof id === 'string' ? getObjectPath(id) : undefined;
  return path === undefined ? null : <a href={path}>Why</a>;
};

type AuditEventPageProps = { readonly params: RouteParams<'auditEvent'>; readonly session: Session };

const PARENT = { name: 'Audit', path: buildConsolePath('auditEvents') };

/** One event: what changed, and its proof. */
export const AuditEventPage = ({ params, session }: AuditEventPageProps): ReactNode => {
  const known = useKnownNames(session);
  const { data: event, error } = useOperation('getAuditEvent', { params });
  return (
    <ConsolePage title={event?.type ?? 'Audit event'} parent={PARENT} actions={event === undefined ? null : <WhyLink event={event} />}>
      <Problem error={error ?? undefined} />
      {event === undefined && !error ? <Skeleton lines={6} /> : null}
      {event === undefined ? null : <Content event={event} known={known} session={session} />}
    </ConsolePage>
  );
};
