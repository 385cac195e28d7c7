import { NativeSelect, TextInput } from '@mantine/core';
import type { CredentialTest } from '@svc/contract/credentials/test-calls.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { client, type OperationBody } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { Facts } from '../../design/facts.tsx';
import { Form } from '../../design/form.tsx';
import { Stack } from '../../design/kit.tsx';
import type { Credential } from './credential.ts';

const URL_CHARS_MAX = 2000;

/** Services on this machine rarely have a certificate. */
const IS_LOCAL = /^(127\.|localhost\b|\[::1\])/;

/** The proposed URL: the first destination that is a single host. */
const firstUrl = ({ destinations }: Credential): string => {
  const host = destinations.find((each) => !each.startsWith('*'));
  return host === undefined ? '' : `${IS_LOCAL.test(host) ? 'http' : 'https'}://${host}/`;
};

const outcomeText = ({ status, failure }: CredentialTest): string =>
  [...(status === null ? [] : [`${status}`]), ...(failure === null ? [] : [`${failure.reason}: ${failure.message}`])].join(', ');

const TestResult = ({ of }: { readonly of: CredentialTest | undefined }): ReactNode => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (of) place.current?.focus();
  }, [of]);
  if (!of) return null;
  return (
    <Stack ref={place} tabIndex={-1} role="group" aria-label="Response" gap="xs">
      <Facts
        facts={[
          ['Status', outcomeText(of)],
          ['Destination', of.destination],
          ['Duration', `${of.duration_ms} ms`],
          ...(of.body_bytes === null ? [] : [['Length', `${of.body_bytes} bytes`] as const]),
          ...Object.entries(of.headers),
        ]}
      />
      {of.body ? <pre className="request">{of.body}</pre> : null}
    </Stack>
  );
};

/** Sends one request with the secret and shows the response, with the secret masked. */
export const TryIt = ({ credential }: { readonly credential: Credential }): ReactNode => {
  const [result, setResult] = useState<CredentialTest>();
  return (
    <>
      <Form
        submit="Send request"
        send={({ url, method }) => {
          setResult(undefined);
          return client.request('testCredential', {
            params: { credentialId: credential.id },
            body: { url, method } as OperationBody<'testCredential'>,
          });
        }}
        then={setResult}
        fields={(error) => (
          <>
            <TextInput
              name="url"
              type="url"
              label="URL"
              description="Must be one of the destinations of the credential."
              defaultValue={firstUrl(credential)}
              maxLength={URL_CHARS_MAX}
              required
              error={findFault(error, 'url')}
            />
            <NativeSelect name="method" label="Method" data={['GET', 'HEAD']} />
          </>
        )}
      />
      <TestResult of={result} />
    </>
  );
};
