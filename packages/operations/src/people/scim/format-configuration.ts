import type { ScimConfiguration } from '@svc/contract/people/scim.ts';
import type { ScimSettings } from '@svc/postgres/people/scim/settings.ts';
import { getScimBaseUrl } from './base-url.ts';

export const formatConfiguration = (settings: ScimSettings, deps: { readonly urls: { readonly base: string } }): ScimConfiguration => ({
  base_url: getScimBaseUrl(deps),
  token_created_at: settings.token_created_at,
  token_created_by: settings.token_created_by,
  token_opens: settings.token_opens,
  default_role_id: settings.default_role_id,
  group_roles: [...settings.group_roles],
});
