import type { OperationResult } from '@svc/client/client-types.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { client } from '../../data/client.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Anchor } from '../../design/kit.tsx';
import type { Credential } from './credential.ts';

type Started = OperationResult<'connectCredential'>;

/** Opens another window, since the provider's page ends with a request to close it. */
const Continue = ({ to }: { readonly to: string }): ReactNode => {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => link.current?.focus(), []);
  return (
    <Anchor ref={link} href={to} target="_blank" rel="noreferrer" size="sm">
      Continue at {new URL(to).host} (new window, within 10 minutes)
    </Anchor>
  );
};

/** Connects an OAuth application in the browser. */
export const Connect = ({ credential: { id, name } }: { readonly credential: Credential }): ReactNode => {
  const [started, setStarted] = useState<Started>();
  return started ? (
    <Continue to={started.authorization_url} />
  ) : (
    <ActionButton
      does="Connect"
      to={name}
      send={() => client.request('connectCredential', { params: { credentialId: id }, body: {} })}
      then={setStarted}
    />
  );
};
