import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { findInvitation, withdrawInvitation as withdraw } from '@svc/postgres/people/invitations/invitations.ts';
import type { ControlDeps } from '../../deps.ts';

export const withdrawInvitation: Handler<Endpoints['withdrawInvitation'], ControlDeps> = ({ change, scope, params, now, refuse }) =>
  change(async ({ tx, emit }) => {
    const { organization_id } = scope;
    const before = await findInvitation(tx, organization_id, params.invitationId, now);
    if (!before) return refuse('NOT_FOUND');
    if (!(await withdraw(tx, organization_id, before.id, now))) return refuse('GONE', 'This invitation was taken up or withdrawn already.');
    const { email, role, workspace_ids, status } = before;
    emit('member.removed', {
      ...about.invitation(before),
      data: { before: { email, role_id: role.id, workspace_ids, status }, after: { status: 'WITHDRAWN' } },
    });
    return { ...before, status: 'WITHDRAWN' as const };
  });
