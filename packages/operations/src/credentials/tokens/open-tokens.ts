import type { KeyObject } from 'node:crypto';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { parseBlocks } from '@svc/postgres/incidents/emergency/blocked-destinations.ts';
import { newRememberedDataKeys } from '../../service/keys/remembered-data-keys.ts';
import { openTokenEgress } from './open-token-egress.ts';
import type { TokenDesk } from './token-desk.ts';

type TokenSettings = {
  readonly egress: { readonly allowCidrs: readonly string[]; readonly nameServers: readonly string[] };
  readonly realEgress: boolean;
  readonly credentialsOverHttp: boolean;
};

type TokenDeps = { readonly database: Database; readonly clock: () => Date; readonly credentialKey: KeyObject };

/** Requests access tokens until it is closed. */
export type OpenTokens = {
  readonly desk: TokenDesk;
  /** Starts no more requests, and stores the tokens of those in progress: no other process has them. */
  readonly hurry: () => void;
  readonly close: () => Promise<void>;
};

/**
 * Opens the token service of a program. Organizations choose the token endpoints, which receive their secrets: none is called while egress
 * is off, and none at a private address unless the operator allows it.
 */
export const openTokens = (
  { egress: { allowCidrs, nameServers }, realEgress, credentialsOverHttp }: TokenSettings,
  { database, clock, credentialKey }: TokenDeps,
): OpenTokens => {
  const reached = { allowRealEgress: realEgress, allowCidrs, nameServers, showsCredentials: credentialsOverHttp };
  const egress = openTokenEgress({ ...reached, blocksOf: parseBlocks(database) });
  let closing = false;
  return {
    desk: { database, egress, clock, dataKeyOf: newRememberedDataKeys(credentialKey), isClosing: () => closing },
    hurry: () => {
      closing = true;
    },
    close: egress.close,
  };
};
