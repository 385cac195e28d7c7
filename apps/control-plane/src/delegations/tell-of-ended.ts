import type { Change } from '@svc/postgres/change.ts';
import type { EndedDelegation } from '@svc/postgres/delegations/end-delegations.ts';

const EVENT = { REVOKED: 'delegation.revoked', EXPIRED: 'delegation.expired' } as const;

type TellEnded = Change<(typeof EVENT)[EndedDelegation['status']]>['emit'];

/** One event each. `because` names the delegation above, or the agent, with which it ended. */
export const tellOfEnded = (
  emit: TellEnded,
  ended: readonly EndedDelegation[],
  more: { readonly reason?: string; readonly because?: string } = {},
): void => {
  for (const { id, workspace_id, environment_id, status, because, ...data } of ended) {
    const states = { before: { status: 'ACTIVE' }, after: { status } };
    emit(EVENT[status], {
      subject: { type: 'delegation', id },
      workspace_id,
      environment_id,
      data: { ...data, ...states, ...more, ...(because === null ? {} : { because }) },
    });
  }
};
