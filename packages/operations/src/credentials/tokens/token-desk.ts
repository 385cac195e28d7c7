import type { Egress } from '@svc/egress/create-egress.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { DataKeys } from '../../service/keys/remembered-data-keys.ts';

/** What refreshing needs of the world. */
export type TokenDesk = {
  readonly database: Database;
  /** The way out to token endpoints. */
  readonly egress: Egress;
  readonly dataKeyOf: DataKeys;
  /** The database's time. */
  readonly clock: () => Date;
  /** Whether nothing more is to be waited for. */
  readonly isClosing?: () => boolean;
};
