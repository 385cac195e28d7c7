import type { CredentialScheme, Placement } from '@svc/contract/credentials/credentials.ts';
import type { StoredOauth } from '@svc/contract/credentials/oauth.ts';

/** What is said once of a credential and holds as long as it does: where it is, what it may serve and where it goes, and where its tokens are had. */
export type CredentialTerms = {
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly scheme: CredentialScheme;
  readonly placement: Placement;
  readonly destinations: readonly string[];
  readonly tools: readonly string[];
  readonly oauth: StoredOauth | null;
};
