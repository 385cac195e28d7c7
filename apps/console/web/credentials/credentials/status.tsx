import type { ReactNode } from 'react';
import { StatusPill } from '../../design/status-pill.tsx';
import type { Credential } from './credential.ts';

/** The status of a credential; of an OAuth application, whether it is connected too. */
export const CredentialStatus = ({ credential: { status, oauth } }: { readonly credential: Credential }): ReactNode => {
  if (status !== 'ACTIVE') return <StatusPill tone="blocked">Revoked</StatusPill>;
  if (oauth?.connection.state === 'UNCONNECTED') return <StatusPill tone="held">Not connected</StatusPill>;
  if (oauth?.connection.state === 'ERROR') return <StatusPill tone="held">Reconnect required</StatusPill>;
  return <StatusPill tone="allowed">Active</StatusPill>;
};
