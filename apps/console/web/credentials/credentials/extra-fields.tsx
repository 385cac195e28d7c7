import { Fieldset, NativeSelect } from '@mantine/core';
import { CREDENTIAL_LIMITS } from '@svc/contract/tables/limits/credential-limits.ts';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { findFault } from '../../data/faults.ts';
import { TextField } from '../../design/fields.tsx';
import type { Values } from '../../design/form.tsx';
import { Button, Group } from '../../design/kit.tsx';
import { SecretField } from '../../design/secret-fields.tsx';
import { POSITIONS_TO_CHOOSE } from './credential.ts';

const { extrasMax } = CREDENTIAL_LIMITS.credentials;

type ItemProps = { readonly at: number; readonly error: ApiError | undefined };

const ItemFields = ({ at, error }: ItemProps): ReactNode => (
  <Fieldset legend={`Extra item ${at + 1}`}>
    <NativeSelect name={`extras/${at}/in`} label="Position" data={POSITIONS_TO_CHOOSE} error={findFault(error, `extras/${at}/in`)} />
    <TextField error={error} name={`extras/${at}/name`} label="Item name" description="For example DD-APPLICATION-KEY." />
    <SecretField error={error} name={`extras/${at}/secret`} label="Item secret" />
  </Fieldset>
);

/** Other secrets that each request needs, such as an application key with the API key. */
export const ExtraFields = ({ error }: { readonly error: ApiError | undefined }): ReactNode => {
  const [count, setCount] = useState(0);
  return (
    <>
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity, and only the last one is removed
        <ItemFields key={at} at={at} error={error} />
      ))}
      <Group gap="xs">
        {count < extrasMax ? (
          <Button size="xs" variant="default" onClick={() => setCount(count + 1)}>
            Add extra item
          </Button>
        ) : null}
        {count > 0 ? (
          <Button size="xs" variant="default" onClick={() => setCount(count - 1)}>
            Remove last item
          </Button>
        ) : null}
      </Group>
    </>
  );
};

/** The items that the fields above describe. */
export const getExtras = (values: Values): readonly Values[] =>
  Array.from({ length: extrasMax }, (_, at) => `extras/${at}`).flatMap((item) => {
    const { [`${item}/in`]: position = '', [`${item}/name`]: name = '', [`${item}/secret`]: secret = '' } = values;
    return position === '' ? [] : [{ in: position, name, secret }];
  });
