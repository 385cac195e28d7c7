import type { KeyObject } from 'node:crypto';
import { openTokenEgress } from '@svc/operations/credentials/tokens/open-token-egress.ts';
import type { TokenDesk } from '@svc/operations/credentials/tokens/token-desk.ts';
import { newRememberedDataKeys } from '@svc/operations/service/keys/remembered-data-keys.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';

/** How token endpoints are reached. */
type Reached = {
  readonly egress: { readonly allowCidrs: readonly string[]; readonly nameServers: readonly string[] };
  readonly realEgress: boolean;
  readonly credentialsOverHttp: boolean;
};

type Needs = { readonly database: Database; readonly clock: () => Date; readonly credentialKey: KeyObject };

/**
 * Token endpoints are chosen by organizations and get their secrets: none is asked while egress is off, and none at an address that is not public
 * unless the operator allows it.
 */
export const openTokens = (
  { egress: reached, realEgress, credentialsOverHttp }: Reached,
  { database, clock, credentialKey }: Needs,
): { readonly desk: TokenDesk; readonly hurry: () => void; readonly close: () => Promise<void> } => {
  const { allowCidrs, nameServers } = reached;
  const egress = openTokenEgress({ allowRealEgress: realEgress, allowCidrs, nameServers, showsCredentials: credentialsOverHttp });
  let closing = false;
  return {
    desk: { database, egress, clock, dataKeyOf: newRememberedDataKeys(credentialKey), isClosing: () => closing },
    // What is asked for already is stored first, since nobody else may have it.
    hurry: () => {
      closing = true;
    },
    close: egress.close,
  };
};
