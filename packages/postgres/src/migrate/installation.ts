import type { DatabaseRole } from '../connection/connect.ts';
import type { PlatformKeyRow } from '../service/platform-keys.ts';

/** One service with one database, as its master key tells it. All of it follows from that key, so every replica agrees. */
export type Installation = {
  /** Short, lower case. The roles are named after it, so that several installations live on one server. */
  readonly id: string;
  /** Tells whether a master key is the one that a database was set up with, and nothing else of it. */
  readonly keyCheck: string;
  readonly loginOf: (role: DatabaseRole) => { readonly user: string; readonly password: string };
  /** Whether a key that a database keeps sealed was sealed by this installation. */
  readonly opens: (sealed: PlatformKeyRow) => boolean;
  /** A fresh key for it to sign with, sealed. */
  readonly newPlatformKey: () => PlatformKeyRow;
};
