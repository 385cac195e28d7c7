import type { RowsOf } from '../rows/rows-of.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { authEndpoints } from './auth.ts';
import { cliEndpoints } from './cli.ts';
import { invitationEndpoints } from './invitations.ts';
import { memberEndpoints } from './members.ts';
import { onboardingEndpoints } from './onboarding.ts';
import { outboxEndpoints } from './outbox.ts';
import { roleEndpoints } from './roles.ts';
import { setupEndpoints } from './setup.ts';
import { signUpEndpoints } from './sign-up.ts';

export const PEOPLE = {
  ...authEndpoints,
  ...cliEndpoints,
  ...roleEndpoints,
  ...memberEndpoints,
  ...invitationEndpoints,
  ...apiKeyEndpoints,
  ...setupEndpoints,
  ...signUpEndpoints,
  ...outboxEndpoints,
  ...onboardingEndpoints,
} as const satisfies RowsOf<'people'>;
