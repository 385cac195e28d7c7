import type { AreaHandlers } from '@svc/http/calls/call.ts';
import { accessHandlers } from './access-handlers.ts';
import type { PeopleDeps } from './deps.ts';
import { membershipHandlers } from './membership-handlers.ts';
import { provisioningHandlers } from './provisioning-handlers.ts';

/** One handler per row of this area of the control plane; one that is missing, or of another area, does not compile. */
export const peopleHandlers: AreaHandlers<'control', 'people', PeopleDeps> = {
  ...accessHandlers,
  ...membershipHandlers,
  ...provisioningHandlers,
};
