import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import { Act } from '../../frame/act.tsx';
import { Facts } from '../../frame/facts.tsx';
import { Save } from '../../frame/save.tsx';
import { shownJson } from '../../frame/shown-json.ts';
import { Time } from '../../frame/time.tsx';
import { changesOf, restOf, type ToldEvent } from './told-event.ts';

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

type KeptFile = { readonly name: string; readonly text: string };

/** The event with what shows that it stands in the signed log, and of a decision a receipt. Both are checked without the service. */
const Proofs = ({ event }: { readonly event: ToldEvent }): ReactNode => {
  const [files, setFiles] = useState<readonly KeptFile[]>([]);
  const keep = (name: string, text: string): void => setFiles([...files.filter((file) => file.name !== name), { name, text }]);
  const { id, subject } = event;
  return (
    <>
      <Group gap="xs">
        <Act
          does="Get the proof"
          to={`${event.type}, ${id}`}
          send={() => call('GET', `/v1/audit-events/${id}/proof`)}
          then={(proof) => keep(`${id}.proof.json`, `${JSON.stringify({ event, proof }, null, 2)}\n`)}
        />
        {subject.type === 'action' ? (
          <Act<{ readonly receipt: string }>
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

const Detailed = ({ event }: { readonly event: ToldEvent }): ReactNode => {
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
      <Proofs event={event} />
    </>
  );
};

/** One event, and on demand what it changed. */
export const Event = ({ event }: { readonly event: ToldEvent }): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  const { type, actor, subject, severity, occurred_at, id } = event;
  return (
    <>
      <Text fw={600}>
        {type}
        {severity === 'info' ? '' : ` (${severity})`}
      </Text>
      <Facts
        facts={[
          ['When', <Time key="when" at={occurred_at} />],
          ['By', `${actor.name ?? actor.id} (${actor.type})`],
          ['About', `${subject.type} ${subject.id}`],
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
      {isOpen ? <Detailed event={event} /> : null}
    </>
  );
};
