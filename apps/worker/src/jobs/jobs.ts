import type { PassportIssuer } from '@svc/operations/agents/agents/issue-passport.ts';
import type { TokenDesk } from '@svc/operations/credentials/tokens/token-desk.ts';
import type { RetentionSigner } from '@svc/operations/events/audit-retention/announce-removal.ts';
import type { RateProvider } from '@svc/operations/money/fx-rates/provider/new-rate-provider.ts';
import type { NotifyDeps } from '@svc/operations/peers/a2a/notify-partner.ts';
import type { DiscoveryDeps } from '@svc/operations/peers/mcp/discover-mcp-server.ts';
import type { MailService } from '@svc/operations/people/mail/mail-service.ts';
import type { InstanceDeps } from '@svc/operations/runtimes/runtimes/instance/test-runtime.ts';
import { closeStuckActions } from './close-stuck-actions.ts';
import { closeUnreportedActions } from './close-unreported-actions.ts';
import { deleteAgentSessions } from './delete-agent-sessions.ts';
import { deleteContexts } from './delete-contexts.ts';
import { deleteCounterUses } from './delete-counter-uses.ts';
import { deleteOrganizations } from './delete-organizations.ts';
import { disableWebhooks } from './disable-webhooks.ts';
import { dropAuditPartitions } from './drop-audit-partitions.ts';
import { endBreakGlass } from './end-break-glass.ts';
import { escalateApprovals } from './escalate-approvals.ts';
import { expireAgents } from './expire-agents.ts';
import { expireApprovals } from './expire-approvals.ts';
import { expireDelegations } from './expire-delegations.ts';
import { forgetIdempotencyKeys } from './forget-idempotency-keys.ts';
import { forgetWhatEnded } from './forget-what-ended.ts';
import type { AnyJob } from './job.ts';
import { judgeControls } from './judge-controls.ts';
import { listMcpServers } from './list-mcp-servers.ts';
import { makeAuditPartitions } from './make-audit-partitions.ts';
import { mailNotifications } from './notifications/mail-notifications.ts';
import { remindApprovers } from './notifications/remind-approvers.ts';
import { spreadNotices } from './notifications/spread-notices.ts';
import { warnOfEndings } from './notifications/warn-of-endings.ts';
import { openIncidents } from './open-incidents.ts';
import { raiseRiskEvents } from './raise-risk-events.ts';
import { recordUsage } from './record-usage.ts';
import { refreshAutomaticRates } from './refresh-automatic-rates.ts';
import { refreshCredentials } from './refresh-credentials.ts';
import { removeAuditEvents } from './remove-audit-events.ts';
import { renewPassports } from './renew-passports.ts';
import { sendA2aNotifications } from './send-a2a-notifications.ts';
import type { JobRound } from './start-jobs.ts';
import { recordLogAlarmsJob } from './tell-log-alarms.ts';
import { verifyRuntimes } from './verify-runtimes.ts';
import { watchEvidence } from './watch-evidence.ts';

/** Dependencies of jobs, in addition to the database. A job whose dependency is undefined does not run. */
export type JobSources = {
  readonly issuer: PassportIssuer;
  readonly mail: MailService;
  /** Sends the mails of the outbox table. */
  readonly mailing: JobRound | undefined;
  readonly rates: { readonly provider: RateProvider; readonly refreshSeconds: number } | undefined;
  readonly retention: RetentionSigner;
  readonly tokens: TokenDesk | undefined;
  /** Undefined while egress is off. */
  readonly listings: DiscoveryDeps | undefined;
  /** Notifies partners of tasks. Undefined while egress is off. */
  readonly notifying: Omit<NotifyDeps, 'clock'> | undefined;
  /** Reaches the instances of runtimes, if egress permits. */
  readonly instances: InstanceDeps;
  readonly reportWithinSeconds: number;
};

/** Jobs that need only the database. */
export const DATABASE_JOBS: readonly AnyJob[] = [
  expireAgents,
  expireApprovals,
  escalateApprovals,
  expireDelegations,
  closeStuckActions,
  deleteAgentSessions,
  forgetIdempotencyKeys,
  deleteContexts,
  deleteCounterUses,
  deleteOrganizations,
  recordLogAlarmsJob,
  warnOfEndings,
  remindApprovers,
  disableWebhooks,
  recordUsage,
  raiseRiskEvents,
  openIncidents,
  endBreakGlass,
  watchEvidence,
];

/** Creates every job: `jobs` run step by step in each organization that has work, `rounds` decide themselves what they do. */
export const newJobs = (sources: JobSources): { readonly jobs: readonly AnyJob[]; readonly rounds: readonly JobRound[] } => ({
  jobs: [
    ...DATABASE_JOBS,
    renewPassports(sources.issuer),
    spreadNotices(sources),
    mailNotifications(sources),
    removeAuditEvents(sources.retention),
    closeUnreportedActions(sources.reportWithinSeconds),
  ],
  rounds: [
    ...(sources.rates ? [refreshAutomaticRates(sources.rates.provider, sources.rates.refreshSeconds)] : []),
    ...(sources.mailing ? [sources.mailing] : []),
    ...(sources.tokens ? [refreshCredentials(sources.tokens)] : []),
    ...(sources.listings ? [listMcpServers(sources.listings)] : []),
    ...(sources.notifying ? [sendA2aNotifications(sources.notifying)] : []),
    verifyRuntimes(sources.instances),
    forgetWhatEnded,
    makeAuditPartitions,
    judgeControls,
    dropAuditPartitions,
  ],
});
