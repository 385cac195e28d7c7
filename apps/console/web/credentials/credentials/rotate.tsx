import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { call } from '../../data/call.ts';
import type { Done } from '../../data/listing.tsx';
import { SecretField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import type { Credential, Oauth } from './credential.ts';
import { filledIn } from './filled-in.ts';

type Secret = { readonly name: string; readonly label: string };

/** What a credential is rotated by. A key that assertions are signed with is replaced by a new credential: its server has to know it first. */
export const rotatedBy = (oauth: Oauth | null): readonly Secret[] => {
  if (oauth === null) return [{ name: 'secret', label: 'New secret' }];
  const { client_authentication, grant } = oauth;
  return [
    ...(client_authentication.startsWith('CLIENT_SECRET') ? [{ name: 'client_secret', label: 'New client secret' }] : []),
    ...(grant === 'REFRESH_TOKEN' ? [{ name: 'refresh_token', label: 'New refresh token' }] : []),
  ];
};

/** As the plane does where nothing is said: the secret before ends at once. */
const OVERLAPS = [
  { value: '0', label: 'Not at all: it ends at once' },
  { value: '3600', label: 'For an hour' },
  { value: '86400', label: 'For a day' },
];

type RotateProps = { readonly credential: Credential; readonly done: Done };

/** Another secret in place of the one that stands. */
export const Rotate = ({ credential: { id, name, oauth }, done }: RotateProps): ReactNode => {
  const secrets = rotatedBy(oauth);
  return (
    <Form<Credential>
      submit="Rotate"
      send={({ overlap_seconds, ...given }) =>
        call('POST', `/v1/credentials/${id}/rotate`, {
          ...filledIn(given),
          ...(overlap_seconds === undefined ? {} : { overlap_seconds: Number(overlap_seconds) }),
        })
      }
      then={() => done(`${name} is rotated: calls that begin now carry the new secret.`)}
      fields={(error) => (
        <>
          {secrets.map((secret) => (
            <SecretField key={secret.name} error={error} required={secrets.length === 1} {...secret} />
          ))}
          {oauth === null ? (
            <NativeSelect
              name="overlap_seconds"
              label="Try the secret before, too"
              description="Where a call is refused with 401, since the service does not know the new one yet."
              data={OVERLAPS}
            />
          ) : null}
        </>
      )}
    />
  );
};
