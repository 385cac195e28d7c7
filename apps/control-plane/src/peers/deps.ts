import type { KeyObject } from 'node:crypto';
import type { TokenDesk } from '@svc/operations/credentials/tokens/token-desk.ts';
import type { Discoveries } from './mcp/listing/open-discoveries.ts';

/** Dependencies of the handlers of MCP servers. */
export type PeersDeps = {
  /** The egress client for listings, and their queue. */
  readonly discoveries: Discoveries;
  /** The egress client for verifications of A2A connections, and their queue. */
  readonly verifications: Discoveries;
  /** Seals the data keys of organizations. */
  readonly credentialKey: KeyObject;
  /** Obtains access tokens. */
  readonly tokens: TokenDesk;
  readonly urls: { readonly gateway: string };
};
