import { NativeSelect } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { client, type OperationBody } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form, type Values } from '../../design/form.tsx';
import { Text, Title } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { KIND_NAMES } from './kind-names.ts';

type Current = OperationResult<'getNotificationPreferences'>;
type Body = OperationBody<'updateNotificationPreferences'>;

const MAILS = [
  { value: 'AT_ONCE', label: 'Immediately' },
  { value: 'DIGEST', label: 'Daily digest' },
  { value: 'OFF', label: 'Off' },
];
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }));

const getBody = (values: Values, inbox: readonly string[], kinds: readonly string[]): Body => {
  const { time_zone = '', digest_hour, from = '', until = '' } = values;
  return {
    ...(time_zone === '' ? {} : { time_zone }),
    digest_hour: Number(digest_hour),
    quiet_hours: from === '' && until === '' ? null : { from, until },
    kinds: Object.fromEntries(
      kinds.map((kind) => [kind, { inbox: inbox.includes(kind) ? 'AT_ONCE' : 'OFF', mail: values[`mail ${kind}`] }]),
    ),
  } as Body;
};

type FieldsProps = { readonly current: Current; readonly error: ApiError | undefined };

const Kinds = ({ current }: Pick<FieldsProps, 'current'>): ReactNode => (
  <table className="table plain">
    <thead>
      <tr>
        <th scope="col">Notification</th>
        <th scope="col">Inbox</th>
        <th scope="col">E-mail</th>
      </tr>
    </thead>
    <tbody>
      {Object.entries(current.kinds).map(([kind, { inbox, mail }]) => {
        const name = KIND_NAMES[kind] ?? kind;
        return (
          <tr key={kind}>
            <th scope="row">{name}</th>
            <td>
              <Checkbox name="inbox" value={kind} aria-label={`${name}: inbox`} defaultChecked={inbox !== 'OFF'} />
            </td>
            <td>
              <NativeSelect name={`mail ${kind}`} size="xs" aria-label={`${name}: e-mail`} data={MAILS} defaultValue={mail} />
            </td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

const Fields = ({ current, error }: FieldsProps): ReactNode => (
  <>
    <Kinds current={current} />
    <div className="columns">
      <TextField error={error} name="time_zone" label="Time zone" placeholder="Europe/Berlin" defaultValue={current.time_zone} />
      <NativeSelect name="digest_hour" label="Daily digest at" data={HOURS} defaultValue={String(current.digest_hour)} />
      <TextField
        error={error}
        name="from"
        label="Quiet from"
        placeholder="22:00"
        defaultValue={current.quiet_hours?.from ?? ''}
        required={false}
        maxLength={5}
      />
      <TextField
        error={error}
        name="until"
        label="Quiet until"
        placeholder="06:30"
        defaultValue={current.quiet_hours?.until ?? ''}
        required={false}
        maxLength={5}
      />
    </div>
    {['quiet_hours/from', 'quiet_hours/until'].map((member) => {
      const fault = findFault(error, member);
      return fault === undefined ? null : <Text key={member}>{fault}</Text>;
    })}
  </>
);

/** How the person is notified, in every organization. */
export const Preferences = (): ReactNode => {
  const { data: current, error } = useOperation('getNotificationPreferences', {});
  const { announce, announcement } = useAnnouncement();
  return (
    <section aria-label="Preferences">
      <Title order={2} size="h4">
        Preferences
      </Title>
      <Problem error={error ?? undefined} />
      {announcement}
      {current === undefined && !error ? <Skeleton lines={6} /> : null}
      {current === undefined ? null : (
        <Form
          submit="Save"
          send={(values, all) =>
            client.request('updateNotificationPreferences', { body: getBody(values, all('inbox'), Object.keys(current.kinds)) })
          }
          then={() => {
            announce('Saved for all your organizations.');
            void refresh('getNotificationPreferences');
          }}
          fields={(fault) => <Fields current={current} error={fault} />}
        />
      )}
    </section>
  );
};
