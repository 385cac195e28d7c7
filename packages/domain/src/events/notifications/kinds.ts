import type { NotificationChoice, NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';

/** One kind of what people are told: who sees it, who is told, and by default where. */
export type KindRow = {
  /** What reads its resource: without all of these nobody is told, and what was told is shown no more. */
  readonly reads: readonly Permission[];
  /** Told are those who hold one of these; null where it says by name who is, and the owners besides. */
  readonly told: readonly Permission[] | null;
  readonly otherwise: NotificationChoice;
  /** Whether it is mailed in quiet hours too. */
  readonly isUrgent?: true;
};

const AT_ONCE = { inbox: 'AT_ONCE', mail: 'AT_ONCE' } as const;
const DAILY = { inbox: 'AT_ONCE', mail: 'DIGEST' } as const;

/** Every kind. Of approvals those are told whose vote would count, of all others whoever may put it right. */
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

/** The kinds that somebody may be shown who holds these permissions. */
export const kindsShown = (holds: (permission: Permission) => boolean): NotificationKind[] =>
  (Object.keys(KINDS) as NotificationKind[]).filter((kind) => KINDS[kind].reads.every(holds));
