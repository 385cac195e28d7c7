import type { SequentialRunner } from '@svc/enforcement/facts/decision-request.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import type { PlaneClock } from '@svc/http/clock/open-database-clock.ts';
import type { Readiness } from '@svc/http/plane/readiness.ts';
import type { Watch } from '@svc/http/watch/open-watch.ts';
import type { RequestHashes } from '@svc/keyring/bytes/request-hashes.ts';
import type { TokenScope } from '@svc/keyring/tokens/agent-token.ts';
import type { DpopNonces } from '@svc/keyring/tokens/dpop-nonces.ts';
import type { AgentTokenReader } from '@svc/keyring/tokens/verified-token-cache.ts';
import type { AssertionVerifier } from '@svc/keyring/tokens/verify-assertion.ts';
import type { OpenedPlatformKeys } from '@svc/operations/agents/identity/load-platform-keys.ts';
import type { HashPushToken } from '@svc/operations/peers/a2a/a2a-push-configs.ts';
import type { A2aPushTargets } from '@svc/operations/peers/a2a/a2a-push-targets.ts';
import type { A2aTaskOwners } from '@svc/operations/peers/a2a/a2a-task-owners.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { ConnectionHome } from '@svc/postgres/peers/a2a/a2a-connections.ts';
import type { Recorder } from '@svc/postgres/recorder/open-recorder.ts';
import type { Counter } from '@svc/program/metrics/counter.ts';
import type { RateLimiter } from '@svc/shared-state/rate-limiter.ts';
import type { ApprovalWaits } from './actions/approvals/own/new-approval-waits.ts';
import type { SharedWaits } from './actions/approvals/own/shared-waits.ts';
import type { AgentHomes } from './agents/identity/kept/agent-homes.ts';
import type { FailedAssertions } from './agents/identity/kept/failed-assertions.ts';
import type { SignInOutcome } from './agents/identity/kept/sign-in-outcomes.ts';
import type { GatewaySettings } from './settings.ts';

/** Dependencies of the handlers of this plane. */
export type GatewayDeps = {
  readonly settings: GatewaySettings;
  readonly clock: PlaneClock;
  readonly database: Database;
  readonly pipeline: Ports;
  readonly recorder: Recorder;
  readonly rateLimiter: RateLimiter;
  readonly platformKeys: OpenedPlatformKeys;
  readonly tokens: AgentTokenReader;
  readonly tokenScope: TokenScope;
  readonly dpopNonces: DpopNonces;
  readonly homes: AgentHomes;
  /** Finds the scope of an A2A connection. */
  readonly connectionHomes: (connectionId: string) => Promise<ConnectionHome | undefined>;
  /** Tasks and assertions of remote agents. */
  readonly a2aTasks: A2aTaskOwners;
  /** Addresses at which partners receive push notifications. */
  readonly a2aPushTargets: A2aPushTargets;
  readonly hashPushToken: HashPushToken;
  readonly assertions: AssertionVerifier;
  readonly watch: Watch | undefined;
  /** Failed sign-ins by the agent that they name. */
  readonly failedAssertions: FailedAssertions;
  /** Outcomes of agents' sign-ins. */
  readonly signIns: Counter<SignInOutcome>;
  readonly requestHashes: RequestHashes;
  readonly readiness: Readiness;
  /** Requests that wait for approvals. */
  readonly approvalWaits: ApprovalWaits;
  readonly sharedWaits: SharedWaits;
  /** Runs identical requests of an agent sequentially. */
  readonly oneAtATime: SequentialRunner;
};
