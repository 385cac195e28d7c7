import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';

type LifecycleRow = {
  readonly from: readonly AgentStatus[];
  /** Null leaves the status as it was. */
  readonly to: AgentStatus | null;
  readonly killsSessions: boolean;
  /** Restrictions that the operation lifts, by the status it starts from. Lifting one requires more than the permission of the operation. */
  readonly lifts: Partial<Record<AgentStatus, Restriction>>;
};

/** A restriction that security set on an agent. */
export type Restriction = 'SUSPENSION' | 'ISOLATION';

/** The whole life of an agent: which operation is accepted from which status, and what it leaves behind. */
const LIFECYCLE = {
  pause: { from: ['ACTIVE'], to: 'PAUSED', killsSessions: false, lifts: {} },
  resume: {
    from: ['PAUSED', 'SUSPENDED', 'ISOLATED'],
    to: 'ACTIVE',
    killsSessions: false,
    lifts: { SUSPENDED: 'SUSPENSION', ISOLATED: 'ISOLATION' },
  },
  suspend: { from: ['ACTIVE', 'PAUSED', 'ISOLATED'], to: 'SUSPENDED', killsSessions: true, lifts: { ISOLATED: 'ISOLATION' } },
  isolate: { from: ['ACTIVE', 'PAUSED', 'SUSPENDED'], to: 'ISOLATED', killsSessions: true, lifts: {} },
  decommission: { from: ['PAUSED', 'SUSPENDED'], to: 'DECOMMISSIONED', killsSessions: true, lifts: {} },
  revoke: {
    from: ['ACTIVE', 'PAUSED', 'SUSPENDED', 'ISOLATED', 'EXPIRED', 'DECOMMISSIONED'],
    to: 'REVOKED',
    killsSessions: true,
    lifts: {},
  },
  renew_passport: { from: ['ACTIVE', 'PAUSED', 'SUSPENDED', 'ISOLATED'], to: null, killsSessions: false, lifts: {} },
  rotate_credentials: { from: ['ACTIVE', 'PAUSED', 'SUSPENDED'], to: null, killsSessions: true, lifts: {} },
} as const satisfies Record<string, LifecycleRow>;

export type AgentOperation = keyof typeof LIFECYCLE;
export const AGENT_OPERATIONS = Object.keys(LIFECYCLE) as readonly AgentOperation[];

export type AgentTransition = {
  readonly ok: true;
  readonly to: AgentStatus;
  readonly killsSessions: boolean;
  /** The lifted restriction; null if there is none. */
  readonly lifts: Restriction | null;
};

/** Returns the effect of an operation on an agent in a given status; INVALID_STATE_TRANSITION with the accepted statuses. */
export const getAgentTransition = (operation: AgentOperation, from: AgentStatus): AgentTransition | Refusal<'INVALID_STATE_TRANSITION'> => {
  const row: LifecycleRow = LIFECYCLE[operation];
  if (!row.from.includes(from)) {
    const message = `This operation (${operation.replaceAll('_', ' ')}) is not allowed for an agent with the status ${from}; the status must be ${row.from.join(' or ')}.`;
    return buildRefusal('INVALID_STATE_TRANSITION', message, { operation, from, allowed_from: row.from });
  }
  return { ok: true, to: row.to ?? from, killsSessions: row.killsSessions, lifts: row.lifts[from] ?? null };
};
