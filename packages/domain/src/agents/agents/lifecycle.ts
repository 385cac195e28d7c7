import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';

type LifecycleRow = {
  readonly from: readonly AgentStatus[];
  /** Null leaves the status as it was. */
  readonly to: AgentStatus | null;
  readonly killsSessions: boolean;
  /** Source statuses that security set: leaving them asks more of the caller than the operation's own permission. */
  readonly restrictedFrom: readonly AgentStatus[];
};

/** The whole life of an agent: which operation is accepted from which status, and what it leaves behind. */
const LIFECYCLE = {
  pause: { from: ['ACTIVE'], to: 'PAUSED', killsSessions: false, restrictedFrom: [] },
  resume: { from: ['PAUSED', 'SUSPENDED', 'ISOLATED'], to: 'ACTIVE', killsSessions: false, restrictedFrom: ['SUSPENDED', 'ISOLATED'] },
  suspend: { from: ['ACTIVE', 'PAUSED', 'ISOLATED'], to: 'SUSPENDED', killsSessions: true, restrictedFrom: [] },
  isolate: { from: ['ACTIVE', 'PAUSED', 'SUSPENDED'], to: 'ISOLATED', killsSessions: true, restrictedFrom: [] },
  decommission: { from: ['PAUSED', 'SUSPENDED'], to: 'DECOMMISSIONED', killsSessions: true, restrictedFrom: [] },
  revoke: {
    from: ['ACTIVE', 'PAUSED', 'SUSPENDED', 'ISOLATED', 'EXPIRED', 'DECOMMISSIONED'],
    to: 'REVOKED',
    killsSessions: true,
    restrictedFrom: [],
  },
  renew_passport: { from: ['ACTIVE', 'PAUSED', 'SUSPENDED', 'ISOLATED'], to: null, killsSessions: false, restrictedFrom: [] },
  rotate_credentials: { from: ['ACTIVE', 'PAUSED', 'SUSPENDED'], to: null, killsSessions: true, restrictedFrom: [] },
} as const satisfies Record<string, LifecycleRow>;

export type AgentOperation = keyof typeof LIFECYCLE;
export const AGENT_OPERATIONS = Object.keys(LIFECYCLE) as readonly AgentOperation[];

export type AgentTransition = {
  readonly ok: true;
  readonly to: AgentStatus;
  readonly killsSessions: boolean;
  /** True when a security restriction is lifted: the caller must also hold `agent:suspend` and give a reason. */
  readonly liftsRestriction: boolean;
};

/** What an operation does to an agent in a given status; INVALID_STATE_TRANSITION with the statuses it would have accepted. */
export const agentTransition = (operation: AgentOperation, from: AgentStatus): AgentTransition | Refusal<'INVALID_STATE_TRANSITION'> => {
  const row: LifecycleRow = LIFECYCLE[operation];
  if (!row.from.includes(from)) {
    const message = `An agent that is ${from} takes no ${operation.replaceAll('_', ' ')}; one that is ${row.from.join(' or ')} does.`;
    return refusal('INVALID_STATE_TRANSITION', message, { operation, from, allowed_from: row.from });
  }
  return { ok: true, to: row.to ?? from, killsSessions: row.killsSessions, liftsRestriction: row.restrictedFrom.includes(from) };
};
