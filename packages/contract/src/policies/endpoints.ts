import type { AreaEndpoints } from '../rows/area-rows.ts';
import { policyCheckEndpoints } from './checks.ts';
import { invariantEndpoints } from './invariants.ts';
import { policyEndpoints } from './policies.ts';
import { policyTemplateEndpoints } from './templates.ts';
import { policyTrialEndpoints } from './trials.ts';
import { policyVersionEndpoints } from './versions.ts';

export const POLICIES = {
  ...policyEndpoints,
  ...policyVersionEndpoints,
  ...policyTemplateEndpoints,
  ...policyTrialEndpoints,
  ...policyCheckEndpoints,
  ...invariantEndpoints,
} as const satisfies AreaEndpoints<'policies'>;
