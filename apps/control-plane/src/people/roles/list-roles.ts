import type { Endpoints } from '@svc/contract/endpoints.ts';
import { BUILT_IN_ROLES } from '@svc/contract/tables/built-in-roles.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ControlDeps } from '../../deps.ts';

export const listRoles: Handler<Endpoints['listRoles'], ControlDeps> = () =>
  BUILT_IN_ROLES.map(({ id, name, description, permissions }) => ({
    id,
    name,
    description,
    permissions: [...permissions],
    built_in: true,
  }));
