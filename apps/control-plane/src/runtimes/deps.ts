import type { KeyObject } from 'node:crypto';
import type { Egress } from '@svc/egress/create-egress.ts';
import type { LivePlatformKeys } from '@svc/operations/agents/identity/keep-platform-keys.ts';
import type { Turns } from '../aside/in-turn.ts';

/** Dependencies of the handlers of runtimes. */
export type RuntimesDeps = {
  /** The egress client for instances, and the turns of connection tests. */
  readonly instances: { readonly egress: Egress; readonly inTurn: Turns };
  /** Seals the data keys of organizations. */
  readonly credentialKey: KeyObject;
  readonly cursorKey: KeyObject;
  /** Signs the manifests of bundles. */
  readonly platformKeys: Pick<LivePlatformKeys, 'keys'>;
  readonly urls: { readonly base: string; readonly gateway: string };
};
