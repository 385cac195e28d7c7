import type { KeyObject } from 'node:crypto';
import type { ChannelRules } from '@svc/domain/events/notification-channels/channel-address.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import type { PlaneClock } from '@svc/http/clock/open-database-clock.ts';
import type { Readiness } from '@svc/http/plane/readiness.ts';
import type { RequestHashes } from '@svc/keyring/bytes/request-hashes.ts';
import type { UserCodes } from '@svc/keyring/codes/user-codes.ts';
import type { Passwords } from '@svc/keyring/passwords/password.ts';
import type { LivePlatformKeys } from '@svc/operations/agents/identity/keep-platform-keys.ts';
import type { TokenDesk } from '@svc/operations/credentials/tokens/token-desk.ts';
import type { RateProvider } from '@svc/operations/money/fx-rates/provider/new-rate-provider.ts';
import type { SignUpDesk } from '@svc/operations/people/auth/founding/sign-up-desk.ts';
import type { MailDesk } from '@svc/operations/people/mail/mail-desk.ts';
import type { ResetKeys } from '@svc/operations/people/passwords/reset-codes.ts';
import type { FactorChecks } from '@svc/operations/people/second-factors/check-factor.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { RateLimiter } from '@svc/shared-state/rate-limiter.ts';
import type { TestCalls } from './credentials/credentials/test-calls/open-test-calls.ts';
import type { EventStream } from './events/audit-events/stream/resumed-at.ts';
import type { Discoveries } from './peers/mcp/open-discoveries.ts';
import type { StepUpLane } from './people/auth/step-up/step-up-proofs.ts';
import type { Sso } from './people/sso/oidc/open-sso.ts';
import type { ControlSettings } from './settings.ts';
import type { ToolImports } from './tools/tool-imports/arriving/open-tool-imports.ts';

/** What the handlers of this plane need besides their call. */
export type ControlDeps = {
  readonly settings: ControlSettings;
  readonly clock: PlaneClock;
  readonly database: Database;
  readonly identity: Database;
  readonly passwords: Passwords;
  readonly stepUpLane: StepUpLane;
  readonly userCodes: UserCodes;
  /** Under which browsers are known that people have signed in with. */
  readonly deviceKey: KeyObject;
  readonly factors: FactorChecks;
  /** Under which codes to set a new password are kept. */
  readonly resetKeys: ResetKeys;
  readonly platformKeys: LivePlatformKeys;
  /** What logs are called after. */
  readonly installationId: string;
  readonly cursorKey: KeyObject;
  readonly requestHashes: RequestHashes;
  /** The enforcement pipeline; this plane decides and records, and has no executor. */
  readonly pipeline: Ports;
  /** Faults that keep the plane from nothing and need the operator. */
  readonly checks: { readonly isRenewalOverdue: () => Promise<boolean>; readonly isMailFailing: () => Promise<boolean> };
  /** Undefined when the operator names none. */
  readonly rateProvider: RateProvider | undefined;
  readonly readiness: Readiness;
  /** Of what a request does beyond what its row takes for it. */
  readonly rateLimiter: RateLimiter;
  /** What seals sign-ups that wait for their codes. */
  readonly signUps: SignUpDesk;
  /** Where changes leave their mails (`postMail`). */
  readonly mail: MailDesk;
  readonly sso: Sso;
  /** Where documents come from that tools are proposed by, and where they are read. */
  readonly toolImports: ToolImports;
  /** What the data keys of organizations are sealed under. */
  readonly credentialKey: KeyObject;
  /** By which access tokens are had. */
  readonly tokens: TokenDesk;
  /** The way out of test calls of credentials. */
  readonly testCalls: TestCalls;
  /** The egress client for listings of MCP servers. */
  readonly discoveries: Discoveries;
  readonly webhooks: {
    /** Seals what deliveries are signed with. */
    readonly sealingKey: KeyObject;
    /** Whether receivers may be called without TLS, as those within the networks that the operator allows. */
    readonly allowsHttp: boolean;
  };
  /** Which chats may be sent notifications. */
  readonly channels: ChannelRules;
  /** What happens, for those who watch it. */
  readonly eventStream: EventStream;
  readonly urls: { readonly base: string; readonly gateway: string };
};
