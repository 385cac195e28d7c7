import type { AreaHandlers } from '@svc/http/calls/call.ts';
import { accessHandlers } from './access-handlers.ts';
import type { PeopleDeps } from './deps.ts';
import { membershipHandlers } from './membership-handlers.ts';
import { provisioningHandlers } from './provisioning-handlers.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const peopleHandlers: AreaHandlers<'control', 'people', PeopleDeps> = {
  ...accessHandlers,
  ...membershipHandlers,
  ...provisioningHandlers,
};
