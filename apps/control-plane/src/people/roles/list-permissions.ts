import type { Endpoints } from '@svc/contract/endpoints.ts';
import { PERMISSION_NAMES } from '@svc/contract/tables/permissions.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { reportResult } from '@svc/operations/people/roles/as-role.ts';
import type { PeopleDeps } from '../deps.ts';

export const listPermissions: Handler<Endpoints['listPermissions'], PeopleDeps> = ({ lacks }) => {
  const missing = new Set(lacks(PERMISSION_NAMES));
  return PERMISSION_NAMES.map((name) => ({ ...reportResult(name), held: !missing.has(name) }));
};
