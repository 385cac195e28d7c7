import type { RowsOf } from '../rows/rows-of.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { authEndpoints } from './auth.ts';
import { cliEndpoints } from './cli.ts';
import { invitationEndpoints } from './invitations.ts';
import { memberEndpoints } from './members.ts';
import { roleEndpoints } from './roles.ts';
import { scimEndpoints, scimSettingsEndpoints } from './scim.ts';
import { setupEndpoints } from './setup.ts';
import { ssoEndpoints } from './sso.ts';
import { ssoSignInEndpoints } from './sso-sign-in.ts';

export const PEOPLE = {
  ...authEndpoints,
  ...cliEndpoints,
  ...roleEndpoints,
  ...memberEndpoints,
  ...invitationEndpoints,
  ...apiKeyEndpoints,
  ...setupEndpoints,
  ...ssoEndpoints,
  ...ssoSignInEndpoints,
  ...scimSettingsEndpoints,
  ...scimEndpoints,
} as const satisfies RowsOf<'people'>;
