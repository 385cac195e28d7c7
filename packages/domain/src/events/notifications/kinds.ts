import type { NotificationChoice, NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';

/** One kind of notification: who may see it, who receives it, and the default channels. */
export type KindRow = {
  /** Permissions to read its resource: without all of these a user is not notified, and no longer sees earlier notifications. */
  readonly reads: readonly Permission[];
  /** Holders of any of these are notified; null if recipients are named individually, in addition to the owners. */
  readonly told: readonly Permission[] | null;
  readonly otherwise: NotificationChoice;
  /** True if it is mailed in quiet hours too. */
  readonly isUrgent?: true;
};

const AT_ONCE = { inbox: 'AT_ONCE', mail: 'AT_ONCE' } as const;
const DAILY = { inbox: 'AT_ONCE', mail: 'DIGEST' } as const;

/** All kinds. Approvals notify the people whose vote would count, all others the people who can fix the problem. */
export const KINDS: Readonly<Record<NotificationKind, KindRow>> = {
  approval_waiting: { reads: ['approval:read'], told: ['approval:approve', 'approval:deny'], otherwise: AT_ONCE },
  approval_question: { reads: ['approval:read', 'agent:read'], told: ['agent:update'], otherwise: AT_ONCE },
  emergency: {
    reads: ['environment:read', 'agent:read'],
    told: ['environment:pause', 'agent:suspend'],
    otherwise: AT_ONCE,
    isUrgent: true,
  },
  incident_opened: { reads: ['incident:read'], told: ['incident:update'], otherwise: AT_ONCE, isUrgent: true },
  webhook_failing: { reads: ['webhook:read'], told: ['webhook:update'], otherwise: AT_ONCE },
  channel_failing: { reads: ['webhook:read'], told: ['webhook:update'], otherwise: AT_ONCE },
  mcp_server_quarantined: { reads: ['mcp:read'], told: ['mcp:update'], otherwise: AT_ONCE },
  key_expiring: { reads: ['apikey:read'], told: null, otherwise: AT_ONCE },
  agent_expiring: { reads: ['agent:read'], told: ['agent:update'], otherwise: DAILY },
  passport_expiring: { reads: ['agent:read'], told: ['agent:update'], otherwise: DAILY },
  delegation_expiring: { reads: ['delegation:read'], told: null, otherwise: DAILY },
  evidence_expiring: { reads: ['trust:read'], told: ['trust:update'], otherwise: DAILY },
};

/** Returns the kinds visible with these permissions. */
export const listVisibleKinds = (holds: (permission: Permission) => boolean): NotificationKind[] =>
  (Object.keys(KINDS) as NotificationKind[]).filter((kind) => KINDS[kind].reads.every(holds));
