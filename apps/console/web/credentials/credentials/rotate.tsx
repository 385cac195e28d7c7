import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { Form, type Values } from '../../design/form.tsx';
import { SecretField } from '../../design/secret-fields.tsx';
import { type Credential, formatExtra, type Oauth } from './credential.ts';
import { getFilledFields } from './filled-in.ts';

type Secret = { readonly name: string; readonly label: string };

/** The secrets of the scheme. A key that signs assertions is replaced by a new credential, since its server must know it first. */
const ownSecrets = (oauth: Oauth | null): readonly Secret[] => {
  if (oauth === null) return [{ name: 'secret', label: 'New secret' }];
  const { client_authentication, grant } = oauth;
  return [
    ...(client_authentication.startsWith('CLIENT_SECRET') ? [{ name: 'client_secret', label: 'New client secret' }] : []),
    ...(grant === 'REFRESH_TOKEN' ? [{ name: 'refresh_token', label: 'New refresh token' }] : []),
  ];
};

/** The name of the field for an extra item, which is also the pointer of a fault in it. */
const extraField = (at: number): string => `extras/${at}/secret`;

/** The secrets that a rotation takes. */
export const getRotatedSecrets = ({ oauth, extras }: Pick<Credential, 'oauth' | 'extras'>): readonly Secret[] => [
  ...ownSecrets(oauth),
  ...extras.map((item, at) => ({ name: extraField(at), label: `New value of ${formatExtra(item)}` })),
];

/** The first is the default of the service. */
const OVERLAPS = [
  { value: '0', label: 'No, end it now' },
  { value: '3600', label: 'For 1 hour' },
  { value: '86400', label: 'For 1 day' },
];

type RotateProps = { readonly credential: Credential; readonly done: (text: string) => void };

/** The filled-in secrets. */
const getBody = ({ oauth, extras }: Credential, values: Values): object => {
  const own = ownSecrets(oauth).map(({ name }) => [name, values[name] ?? '']);
  const given = extras.flatMap((item, at) => {
    const secret = values[extraField(at)] ?? '';
    return secret === '' ? [] : [{ ...item, secret }];
  });
  return { ...getFilledFields(Object.fromEntries(own)), ...(given.length === 0 ? {} : { extras: given }) };
};

/** Replaces secrets of a credential. */
export const Rotate = ({ credential, done }: RotateProps): ReactNode => {
  const { id, name, oauth } = credential;
  const secrets = getRotatedSecrets(credential);
  return (
    <Form
      submit="Rotate"
      send={({ overlap_seconds, ...given }) =>
        client.request('rotateCredential', {
          params: { credentialId: id },
          body: {
            ...getBody(credential, given),
            ...(overlap_seconds === undefined ? {} : { overlap_seconds: Number(overlap_seconds) }),
          } as OperationBody<'rotateCredential'>,
        })
      }
      then={() => done(`${name} is rotated. New calls use the new secret.`)}
      fields={(error) => (
        <>
          {secrets.map((secret) => (
            <SecretField key={secret.name} error={error} required={secrets.length === 1} {...secret} />
          ))}
          {oauth === null ? (
            <NativeSelect
              name="overlap_seconds"
              label="Keep the previous secret"
              description="Used when the service answers 401 to the new one."
              data={OVERLAPS}
            />
          ) : null}
        </>
      )}
    />
  );
};
