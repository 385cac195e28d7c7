import { NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { TextField } from '../../design/fields.tsx';
import { SecretField } from '../../design/secret-fields.tsx';
import { KIND_NAMES } from './filter.tsx';
import { OauthFields } from './oauth-fields.tsx';
import { getWay, WAYS_TO_CHOOSE, type WayName } from './ways.ts';

export const FIXED = 'FIXED';
const KINDS = Object.entries(KIND_NAMES).map(([value, label]) => ({ value, label }));

/** The kind of secret, its value, and how it is sent. */
export const SecretFields = ({ error }: { readonly error: ApiError | undefined }): ReactNode => {
  const [kind, setKind] = useState(FIXED);
  const [way, setWay] = useState<WayName>('bearer');
  return (
    <>
      <NativeSelect
        name="way"
        label="Send as"
        value={way}
        onChange={({ currentTarget }) => setWay(currentTarget.value as WayName)}
        data={WAYS_TO_CHOOSE}
      />
      {getWay(way).fields.map((field) => (
        <TextField key={field.name} error={error} {...field} />
      ))}
      <NativeSelect name="kind" label="Kind" value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)} data={KINDS} />
      {kind === FIXED ? (
        <SecretField error={error} name="secret" label="Secret" description="The key only, without “Bearer”. It cannot be viewed again." />
      ) : (
        <OauthFields key={kind} grant={kind === 'REFRESH_TOKEN' ? kind : 'CLIENT_CREDENTIALS'} error={error} />
      )}
    </>
  );
};
