import type { CredentialExtra, CredentialScheme, Placement } from '@svc/contract/credentials/credentials.ts';
import type { StoredOauth } from '@svc/contract/credentials/oauth.ts';

/** Members of a credential that never change: its environment, the positions of its secrets, its tools and destinations, and its OAuth client. */
export type CredentialTerms = {
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly scheme: CredentialScheme;
  readonly placement: Placement;
  readonly extras: readonly CredentialExtra[];
  readonly destinations: readonly string[];
  readonly tools: readonly string[];
  /** Slugs of MCP servers, each with all its tools. */
  readonly servers: readonly string[];
  readonly oauth: StoredOauth | null;
};
