import type { Egress } from '@svc/egress/create-egress.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { DataKeys } from '../../service/keys/remembered-data-keys.ts';

/** Dependencies of refreshing. */
export type TokenDesk = {
  readonly database: Database;
  /** Egress to token endpoints. */
  readonly egress: Egress;
  readonly dataKeyOf: DataKeys;
  /** The database's time. */
  readonly clock: () => Date;
  /** True if nothing should be waited for any more. */
  readonly isClosing?: () => boolean;
};
