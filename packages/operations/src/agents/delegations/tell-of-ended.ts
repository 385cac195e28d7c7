import type { EndedDelegation } from '@svc/postgres/agents/delegations/end-delegations.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';

const EVENT = { REVOKED: 'delegation.revoked', EXPIRED: 'delegation.expired' } as const;

type TellEnded = Change<(typeof EVENT)[EndedDelegation['status']]>['emit'];
type More = { readonly reason?: string; readonly because?: string };

/** Records one event for each. `because` names the ancestor or the agent that caused the end. */
export const recordEnded = (emit: TellEnded, ended: readonly EndedDelegation[], more: More = {}): void => {
  for (const delegation of ended) {
    const { id: _, workspace_id: __, environment_id: ___, status, because, ...data } = delegation;
    const states = { before: { status: 'ACTIVE' }, after: { status } };
    emit(EVENT[status], {
      ...about.delegation(delegation, delegation),
      data: { ...data, ...states, ...more, ...(because === null ? {} : { because }) },
    });
  }
};

/** Records the events of revoked delegations. */
export const recordRevoked = (emit: Change<'delegation.revoked'>['emit'], revoked: readonly EndedDelegation[], more: More = {}): void =>
  recordEnded((_type, details) => emit('delegation.revoked', details), revoked, more);
