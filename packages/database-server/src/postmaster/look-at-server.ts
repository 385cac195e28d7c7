import type { Client } from 'pg';
import { connectAsOwner } from '../cluster/connect-as-owner.ts';
import type { DataLayout } from '../cluster/data-layout.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import { findServerProcesses, isServerReady } from './find-server-processes.ts';

/** The state of a cluster. */
export type Sight =
  /** The postmaster is undefined if it is not visible from here, since it runs in another container on the same folder. */
  | { readonly state: 'answering'; readonly client: Client; readonly postmaster: ProcessIdentity | undefined }
  /** Starting, stopping, recovering or frozen. */
  | { readonly state: 'busy' }
  /** The server reports ready, but its socket is missing. */
  | { readonly state: 'unreachable'; readonly postmaster: ProcessIdentity }
  | { readonly state: 'absent' };

/** Connects over the socket first: only an answer proves that a server is usable. */
export const lookAtServer = async (layout: DataLayout): Promise<Sight> => {
  const connection = await connectAsOwner(layout);
  if (connection === 'busy') return { state: 'busy' };
  const { postmaster } = findServerProcesses(layout.cluster);
  if (connection !== 'absent') return { state: 'answering', client: connection, postmaster };
  if (postmaster === undefined) return { state: 'absent' };
  return isServerReady(layout.cluster) ? { state: 'unreachable', postmaster } : { state: 'busy' };
};
