import { NativeSelect, Stack, TextInput } from '@mantine/core';
import type { CredentialTest } from '@svc/contract/credentials/test-calls.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { call } from '../../data/call.ts';
import { faultOf } from '../../data/faults.ts';
import { Facts } from '../../design/facts.tsx';
import { Form } from '../../design/form.tsx';
import type { Credential } from './credential.ts';

const URL_CHARS_MAX = 2000;

/** What answers there, as the sandbox receiver, rarely has a certificate. */
const OF_THIS_MACHINE = /^(127\.|localhost\b|\[::1\])/;

/** The address to begin with: the first destination that is one host. */
const firstUrl = ({ destinations }: Credential): string => {
  const host = destinations.find((each) => !each.startsWith('*'));
  return host === undefined ? '' : `${OF_THIS_MACHINE.test(host) ? 'http' : 'https'}://${host}/`;
};

const cameBack = ({ status, failure }: CredentialTest): string =>
  [...(status === null ? [] : [`${status}`]), ...(failure === null ? [] : [`${failure.reason}: ${failure.message}`])].join(', ');

const CameBack = ({ of }: { readonly of: CredentialTest | undefined }): ReactNode => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (of) place.current?.focus();
  }, [of]);
  if (!of) return null;
  return (
    <Stack ref={place} tabIndex={-1} role="group" aria-label="What came back" gap="xs">
      <Facts
        facts={[
          ['Answer', cameBack(of)],
          ['From', of.destination],
          ['After', `${of.duration_ms} ms`],
          ...(of.body_bytes === null ? [] : [['Length', `${of.body_bytes} bytes`] as const]),
          ...Object.entries(of.headers),
        ]}
      />
      {of.body ? <pre className="request">{of.body}</pre> : null}
    </Stack>
  );
};

/** One request with the secret, and what came back, without it. */
export const TryIt = ({ credential }: { readonly credential: Credential }): ReactNode => {
  const [told, setTold] = useState<CredentialTest>();
  return (
    <>
      <Form<CredentialTest>
        submit="Send one request"
        send={({ url, method }) => {
          setTold(undefined);
          return call('POST', `/v1/credentials/${credential.id}/test`, { url, method });
        }}
        then={setTold}
        fields={(error) => (
          <>
            <TextInput
              name="url"
              type="url"
              label="Address"
              description="At a destination of the credential."
              defaultValue={firstUrl(credential)}
              maxLength={URL_CHARS_MAX}
              required
              error={faultOf(error, 'url')}
            />
            <NativeSelect name="method" label="Method" data={['GET', 'HEAD']} />
          </>
        )}
      />
      <CameBack of={told} />
    </>
  );
};
