import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type ApiError, call, faultOf } from '../../api/call.ts';
import type { Environment } from '../../api/environments.ts';
import { TextField } from '../../frame/fields.tsx';
import { Form } from '../../frame/form.tsx';
import { placesToChoose } from '../../frame/places-to-choose.ts';
import type { WithSecret } from './subscription.ts';

type Types = { readonly webhook_subscribable: readonly string[]; readonly waiting: Readonly<Record<string, string>> };
type Offered = { readonly types: readonly string[]; readonly waiting: Readonly<Record<string, string>> };

/** Types that come, and those that nothing writes yet. */
const useOffered = (): Offered | undefined => {
  const [offered, setOffered] = useState<Offered>();
  useEffect(() => {
    void call<Types>('GET', '/v1/meta/event-types').then((answer) => {
      if (!answer.ok) return setOffered({ types: [], waiting: {} });
      const { webhook_subscribable, waiting } = answer.body;
      const waits = webhook_subscribable.filter((type) => type in waiting).map((type) => [type, waiting[type] ?? '']);
      setOffered({ types: webhook_subscribable.filter((type) => !(type in waiting)), waiting: Object.fromEntries(waits) });
    });
  }, []);
  return offered;
};

type FieldsProps = {
  readonly offered: Offered;
  readonly environments: readonly Environment[];
  readonly error: ApiError | undefined;
};

const Fields = ({ offered: { types, waiting }, environments, error }: FieldsProps): ReactNode => (
  <>
    <TextField error={error} name="name" label="Name" />
    <TextInput
      name="url"
      type="url"
      label="Address"
      description="Where deliveries are posted to, by https."
      maxLength={2048}
      required
      error={faultOf(error, 'url')}
    />
    <NativeSelect name="environment_id" label="Events of" data={placesToChoose(environments)} />
    <NativeSelect
      name="body_format"
      label="Body"
      data={[
        { value: 'JSON', label: 'JSON' },
        { value: 'CLOUDEVENTS', label: 'CloudEvents 1.0' },
      ]}
    />
    <fieldset className="boxes">
      <legend>Events</legend>
      <Stack gap="xs">
        {types.map((type) => (
          <Checkbox key={type} name="event_types" value={type} label={type} />
        ))}
        {Object.entries(waiting).map(([type, capability]) => (
          <Checkbox key={type} name="event_types" value={type} label={type} description={`Not sent yet: waits for ${capability}.`} />
        ))}
      </Stack>
    </fieldset>
  </>
);

type CreateProps = { readonly environments: readonly Environment[]; readonly onCreated: (made: WithSecret) => void };

/** A new receiver; its secret comes with the answer. */
export const Create = ({ environments, onCreated }: CreateProps): ReactNode => {
  const offered = useOffered();
  if (!offered) return null;
  return (
    <Form<WithSecret>
      submit="Subscribe"
      send={({ name, url, environment_id, body_format }, all) =>
        call('POST', '/v1/webhooks', {
          name,
          url,
          body_format,
          event_types: all('event_types'),
          ...(environment_id ? { environment_id } : {}),
        })
      }
      then={onCreated}
      fields={(error) => <Fields offered={offered} environments={environments} error={error} />}
    />
  );
};
