import type { KeyObject } from 'node:crypto';
import type { PlaneClock } from '@svc/http/clock/open-database-clock.ts';
import type { TokenDesk } from '@svc/operations/credentials/tokens/token-desk.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { TestCalls } from './credentials/test-calls/open-test-calls.ts';

/** Dependencies of the handlers of credentials. */
export type CredentialsDeps = {
  readonly settings: {
    /** Token endpoints within private networks may be called without TLS. */
    readonly credentialsOverHttp: boolean;
  };
  /** Seals the data keys of organizations. */
  readonly credentialKey: KeyObject;
  /** Obtains access tokens. */
  readonly tokens: TokenDesk;
  /** The egress of test calls. */
  readonly testCalls: TestCalls;
  readonly clock: Pick<PlaneClock, 'now' | 'refusal'>;
  /** Reads attempts to connect before their organization is known. */
  readonly identity: Database;
  readonly urls: { readonly base: string };
};
