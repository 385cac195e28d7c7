import type { DatabaseRole } from '../connection/connect.ts';
import type { PlatformKeyRow } from '../service/platform-keys.ts';

/** One service with one database, derived from its master key, so that all replicas agree. */
export type Installation = {
  /** Short, lower case. The roles are named after it, so that several installations live on one server. */
  readonly id: string;
  /** Identifies the master key that a database was set up with, and reveals nothing else of it. */
  readonly keyCheck: string;
  readonly loginOf: (role: DatabaseRole) => { readonly user: string; readonly password: string };
  /** Returns true if this installation sealed a key that a database stores. */
  readonly opens: (sealed: PlatformKeyRow) => boolean;
  /** A fresh key for it to sign with, sealed. */
  readonly newPlatformKey: () => PlatformKeyRow;
};
