import type { A2aCheckName, A2aConnection, A2aDirection, A2aProof } from '@svc/contract/peers/a2a/a2a-connections.ts';
import { refresh } from '../../data/use-operation.ts';

export type { A2aConnection };

/** Reads everything of A2A connections again after a change. */
export const refreshConnections = (): Promise<void> => refresh('getA2aConnection', 'listA2aConnections');

export const CHECK_NAMES: Readonly<Record<A2aCheckName, string>> = {
  REACHABLE: 'Card can be read',
  CARD: 'Card is well formed',
  INTERFACE: 'Addresses are of the registered host',
  SIGNATURE: 'Signed with a registered key',
  NEWNESS: 'Not a former card',
  CHALLENGE: 'Challenge signed',
};

export const DIRECTION_NAMES: Readonly<Record<A2aDirection, string>> = {
  OUTBOUND: 'Your agents send messages to it',
  INBOUND: 'It sends messages to your agent',
};

export const PROOF_NAMES: Readonly<Record<A2aProof, string>> = {
  CARD: 'Signed card. The agent offers no challenge.',
  CARD_AND_CHALLENGE: 'Signed card and signed challenge',
};
