import type { Endpoints } from '@svc/contract/endpoints.ts';
import { PERMISSION_NAMES } from '@svc/contract/tables/permissions.ts';
import { findOnlyOrganization } from '@svc/domain/people/auth/find-only-organization.ts';
import { toWorkspacesView } from '@svc/domain/people/auth/workspaces-view.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { PeopleDeps } from '../deps.ts';

export const getSession: Handler<Endpoints['getSession'], PeopleDeps> = ({ caller, scope, now, lacks }) => {
  const missing = new Set(lacks(PERMISSION_NAMES));
  const { type, id, name } = caller.actor;
  const steppedUp = caller.steppedUpUntil !== null && Date.parse(caller.steppedUpUntil) > now.getTime();
  return {
    expires_at: caller.expiresAt,
    user: type === 'USER' ? { id, email: caller.email ?? '', name: name ?? '' } : null,
    organization: { id: caller.organizationId, name: caller.organizationName },
    scope: {
      organization_id: scope.organization_id,
      ...toWorkspacesView(scope.workspace_ids),
      environment_id: scope.environment_id ?? null,
    },
    permissions: PERMISSION_NAMES.filter((permission) => !missing.has(permission)),
    principal: { type, id, name: name ?? '' },
    step_up_expires_at: steppedUp ? caller.steppedUpUntil : null,
    amr: [...caller.amr],
    vouched_by: type === 'USER' ? (findOnlyOrganization(caller) ?? null) : null,
    mfa_required: caller.lacksFactor,
  };
};
