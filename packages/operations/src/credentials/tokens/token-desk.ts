import type { KeyObject } from 'node:crypto';
import type { Egress } from '@svc/egress/create-egress.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';

/** What refreshing needs of the world. */
export type TokenDesk = {
  readonly database: Database;
  /** The way out to token endpoints. */
  readonly egress: Egress;
  /** The data key of an organization, of its sealed form. Throws a CredentialKeyError under another master key. */
  readonly dataKeyOf: (organizationId: string, wrapped: Uint8Array) => KeyObject;
  /** The database's time. */
  readonly clock: () => Date;
};
