import { Checkbox, NativeSelect, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type ApiError, call } from '../../data/call.ts';
import { faultOf } from '../../data/faults.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Problem } from '../../design/problem.tsx';
import { KIND_NAMES } from './kind-names.ts';

type Choice = { readonly inbox: string; readonly mail: string };
type Preferences = {
  readonly time_zone: string;
  readonly digest_hour: number;
  readonly quiet_hours: { readonly from: string; readonly until: string } | null;
  readonly kinds: Readonly<Record<string, Choice>>;
};

const PATH = '/v1/auth/profile/notifications';
const MAILS = [
  { value: 'AT_ONCE', label: 'At once' },
  { value: 'DIGEST', label: 'Once a day' },
  { value: 'OFF', label: 'Not at all' },
];
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }));

const bodyOf = (values: Readonly<Record<string, string>>, inbox: readonly string[], kinds: readonly string[]) => {
  const { time_zone = '', digest_hour, from = '', until = '' } = values;
  return {
    ...(time_zone === '' ? {} : { time_zone }),
    digest_hour: Number(digest_hour),
    quiet_hours: from === '' && until === '' ? null : { from, until },
    kinds: Object.fromEntries(
      kinds.map((kind) => [kind, { inbox: inbox.includes(kind) ? 'AT_ONCE' : 'OFF', mail: values[`mail ${kind}`] }]),
    ),
  };
};

type FieldsProps = { readonly now: Preferences; readonly error: ApiError | undefined };

const Fields = ({ now, error }: FieldsProps): ReactNode => (
  <>
    {Object.entries(now.kinds).map(([kind, { inbox, mail }]) => (
      <fieldset key={kind}>
        <legend>{KIND_NAMES[kind] ?? kind}</legend>
        <Checkbox name="inbox" value={kind} label="In the inbox" defaultChecked={inbox !== 'OFF'} />
        <NativeSelect name={`mail ${kind}`} label="By mail" data={MAILS} defaultValue={mail} />
      </fieldset>
    ))}
    <TextField error={error} name="time_zone" label="Time zone" description="Such as Europe/Berlin." defaultValue={now.time_zone} />
    <NativeSelect name="digest_hour" label="Mail of the day" data={HOURS} defaultValue={String(now.digest_hour)} />
    <TextField
      error={error}
      name="from"
      label="Quiet from"
      description="Such as 22:00; empty for no quiet hours."
      defaultValue={now.quiet_hours?.from ?? ''}
      required={false}
      maxLength={5}
    />
    <TextField error={error} name="until" label="Quiet until" defaultValue={now.quiet_hours?.until ?? ''} required={false} maxLength={5} />
    {['quiet_hours/from', 'quiet_hours/until'].map((member) => {
      const fault = faultOf(error, member);
      return fault === undefined ? null : <Text key={member}>{fault}</Text>;
    })}
  </>
);

/** How whoever is signed in wants to be told, in every organization. */
export const ChangePreferences = (): ReactNode => {
  const [now, setNow] = useState<Preferences>();
  const [error, setError] = useState<ApiError>();
  const [isSaved, setSaved] = useState(false);
  useEffect(() => {
    void call<Preferences>('GET', PATH).then((answer) => (answer.ok ? setNow(answer.body) : setError(answer.error)));
  }, []);
  return (
    <section aria-label="How you are told">
      <Title order={2} size="h3">
        How you are told
      </Title>
      <Problem error={error} />
      <p role="status">{isSaved ? 'It is saved, for all your organizations.' : ''}</p>
      {now === undefined ? null : (
        <Form<Preferences>
          submit="Save"
          send={(values, all) => call('PATCH', PATH, bodyOf(values, all('inbox'), Object.keys(now.kinds)))}
          then={(body) => {
            setNow(body);
            setSaved(true);
          }}
          fields={(fault) => <Fields now={now} error={fault} />}
        />
      )}
    </section>
  );
};
