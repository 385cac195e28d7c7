import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../../data/call.ts';
import { useNamesOf } from '../../data/names/further-names.ts';
import type { Known } from '../../data/names/known-names.ts';
import { idsIn, nameOf, namesIn } from '../../data/names/named-ids.ts';
import type { Session } from '../../data/session.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Save } from '../../design/save-file.tsx';
import { shownJson } from '../../design/shown-json.ts';
import { Time } from '../../design/time.tsx';
import { may } from '../../layout/permitted.ts';
import { changesOf, reasonsOf, restOf, type ToldEvent } from './told-event.ts';

type WithNames = { readonly event: ToldEvent; readonly known: readonly Known[]; readonly session: Session };

type NamedProps = { readonly id: string; readonly name: string | undefined; readonly what: string };

/** By name where that is known, and always by id, which one click marks whole. */
const Named = ({ id, name, what }: NamedProps): ReactNode => (
  <>
    {name === undefined ? null : (
      <>
        <bdi>{name}</bdi>,{' '}
      </>
    )}
    {what.toLowerCase().replaceAll('_', ' ')} <code className="id">{id}</code>
  </>
);

const Changes = ({ event }: { readonly event: ToldEvent }): ReactNode => {
  const changes = changesOf(event);
  if (changes.length === 0) return null;
  return (
    <table className="changes">
      <caption>What changed</caption>
      <thead>
        <tr>
          <th scope="col">What</th>
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

/** Names of what the event speaks of by its id. */
const NamesInIt = ({ event, known }: WithNames): ReactNode => {
  const { actor, subject, environment_id } = event;
  const told = [actor.id, subject.id, environment_id];
  const names = namesIn(JSON.stringify(event.data), known).filter(({ id }) => !told.includes(id));
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

/** The event with what shows that it stands in the signed log, and of a decision a receipt. Both are checked without the service. */
const Proofs = ({ event, session }: Omit<WithNames, 'known'>): ReactNode => {
  const [files, setFiles] = useState<readonly KeptFile[]>([]);
  const keep = (name: string, text: string): void => setFiles([...files.filter((file) => file.name !== name), { name, text }]);
  const { id, subject } = event;
  return (
    <>
      <Group gap="xs">
        {may(session, 'audit:verify') ? (
          <ActionButton
            does="Get the proof"
            to={`${event.type}, ${id}`}
            send={() => call('GET', `/v1/audit-events/${id}/proof`)}
            then={(proof) => keep(`${id}.proof.json`, `${JSON.stringify({ event, proof }, null, 2)}\n`)}
          />
        ) : null}
        {subject.type === 'action' && may(session, 'action:read') ? (
          <ActionButton<{ readonly receipt: string }>
            does="Get a receipt of the decision"
            to={subject.id}
            send={() => call('GET', `/v1/actions/${subject.id}/receipt`)}
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

const Detailed = ({ event, known, session }: WithNames): ReactNode => {
  const rest = restOf(event);
  return (
    <>
      <Changes event={event} />
      {Object.keys(rest).length === 0 ? null : <pre className="request">{shownJson(rest)}</pre>}
      <Facts
        facts={[
          ['Event', event.id],
          ['Request', event.request_id],
          ['In the log', event.sequence === null ? 'not sealed yet' : `leaf ${event.sequence}`],
        ]}
      />
      <NamesInIt event={event} known={known} session={session} />
      <Proofs event={event} session={session} />
    </>
  );
};

/** One event, and on demand what it changed. */
export const Event = ({ event, known: listed, session }: WithNames): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  const { type, actor, subject, severity, occurred_at, id } = event;
  const known = useNamesOf([actor.id, subject.id, ...(isOpen ? idsIn(JSON.stringify(event.data)) : [])], listed, session);
  return (
    <>
      <Text fw={600}>
        {type}
        {severity === 'info' ? '' : ` (${severity})`}
      </Text>
      <Facts
        facts={[
          ['When', <Time key="when" at={occurred_at} />],
          ['By', <Named key="by" id={actor.id} name={actor.name ?? nameOf(actor.id, known)} what={actor.type} />],
          ['About', <Named key="about" id={subject.id} name={nameOf(subject.id, known)} what={subject.type} />],
          ...(typeof event.data.tool === 'string' ? [['Tool', event.data.tool] as const] : []),
          ...reasonsOf(event),
          ...(event.environment_id === null
            ? []
            : [
                ['In', <Named key="in" id={event.environment_id} name={nameOf(event.environment_id, known)} what="environment" />] as const,
              ]),
        ]}
      />
      <Button
        size="xs"
        variant="default"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Hide details' : 'Show details'}: ${type}, ${id}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide details' : 'Show details'}
      </Button>
      {isOpen ? <Detailed event={event} known={known} session={session} /> : null}
    </>
  );
};
