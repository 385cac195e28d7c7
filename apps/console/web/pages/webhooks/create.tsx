import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type ApiError, call, faultOf } from '../../api/call.ts';
import { type Environment, useEnvironments } from '../../api/environments.ts';
import { TextField } from '../../frame/fields.tsx';
import { Form } from '../../frame/form.tsx';
import { placesToChoose } from '../../frame/places-to-choose.ts';
import type { WithSecret } from './subscription.ts';

type Types = { readonly webhook_subscribable: readonly string[]; readonly waiting: Readonly<Record<string, string>> };
type Offered = { readonly types: readonly string[]; readonly environments: readonly Environment[] };

/** Types that come, and the environments that whoever asks sees. */
const useOffered = (): Offered | undefined => {
  const [types, setTypes] = useState<readonly string[]>();
  const environments = useEnvironments();
  useEffect(() => {
    void call<Types>('GET', '/v1/meta/event-types').then((answer) =>
      setTypes(answer.ok ? answer.body.webhook_subscribable.filter((type) => !(type in answer.body.waiting)) : []),
    );
  }, []);
  return types && environments && { types, environments };
};

const Fields = ({ offered, error }: { readonly offered: Offered; readonly error: ApiError | undefined }): ReactNode => (
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
    <NativeSelect name="environment_id" label="Events of" data={placesToChoose(offered.environments)} />
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
        {offered.types.map((type) => (
          <Checkbox key={type} name="event_types" value={type} label={type} />
        ))}
      </Stack>
    </fieldset>
  </>
);

/** A new receiver; its secret comes with the answer. */
export const Create = ({ onCreated }: { readonly onCreated: (made: WithSecret) => void }): ReactNode => {
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
      fields={(error) => <Fields offered={offered} error={error} />}
    />
  );
};
