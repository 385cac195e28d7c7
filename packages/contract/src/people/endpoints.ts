import type { AreaEndpoints } from '../rows/area-rows.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { authEndpoints } from './auth.ts';
import { cliEndpoints } from './cli.ts';
import { deviceApprovalEndpoints } from './device-approvals.ts';
import { invitationEndpoints } from './invitations.ts';
import { memberEndpoints } from './members.ts';
import { onboardingEndpoints } from './onboarding.ts';
import { outboxEndpoints } from './outbox.ts';
import { pageEndpoints } from './pages.ts';
import { passwordEndpoints } from './passwords.ts';
import { roleEndpoints } from './roles.ts';
import { samlEndpoints } from './saml.ts';
import { scimEndpoints, scimSettingsEndpoints } from './scim.ts';
import { scimDiscoveryEndpoints } from './scim-discovery.ts';
import { secondFactorEndpoints } from './second-factors.ts';
import { sessionEndpoints } from './sessions.ts';
import { signUpEndpoints } from './sign-up.ts';
import { ssoEndpoints } from './sso.ts';
import { ssoSignInEndpoints } from './sso-sign-in.ts';

export const PEOPLE = {
  ...authEndpoints,
  ...secondFactorEndpoints,
  ...deviceApprovalEndpoints,
  ...passwordEndpoints,
  ...sessionEndpoints,
  ...cliEndpoints,
  ...roleEndpoints,
  ...memberEndpoints,
  ...invitationEndpoints,
  ...apiKeyEndpoints,
  ...ssoEndpoints,
  ...ssoSignInEndpoints,
  ...samlEndpoints,
  ...scimSettingsEndpoints,
  ...scimEndpoints,
  ...scimDiscoveryEndpoints,
  ...signUpEndpoints,
  ...outboxEndpoints,
  ...onboardingEndpoints,
  ...pageEndpoints,
} as const satisfies AreaEndpoints<'people'>;
