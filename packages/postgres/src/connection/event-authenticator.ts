import type { RecordDocument } from '@svc/domain/events/audit-log/record-document.ts';

/** Computes and checks the MACs of audit events. Hashes and MACs are hex digits. The key stays in the process, never in the database. */
export type EventAuthenticator = {
  /** The hash of the leaf with this canonical JSON. */
  readonly leafHash: (text: string) => string;
  /** The digest of a document of a record. */
  readonly recordDigest: (document: RecordDocument) => string;
  readonly mac: (organizationId: string, eventId: string, leafHash: string) => string;
  readonly isAuthentic: (organizationId: string, eventId: string, leafHash: string, mac: string) => boolean;
};

/** Keyed by the pool that a process opened, and by each of its transactions. */
const authenticators = new WeakMap<object, EventAuthenticator>();

/** Sets what authenticates the events that are written over a pool. */
export const setEventAuthenticator = (database: object, authenticator: EventAuthenticator | undefined): void => {
  if (authenticator !== undefined) authenticators.set(database, authenticator);
};

/** Passes the authenticator of a pool on to one of its transactions. */
export const inheritAuthenticator = (database: object, transaction: object): void => {
  setEventAuthenticator(transaction, authenticators.get(database));
};

/** Throws if the pool was opened without one: an event without a MAC would never be sealed. */
export const getEventAuthenticator = (transaction: object): EventAuthenticator => {
  const found = authenticators.get(transaction);
  if (found === undefined) throw new Error('events cannot be written: this connection was opened without the key that authenticates them');
  return found;
};
