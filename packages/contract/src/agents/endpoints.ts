import type { AreaEndpoints } from '../rows/area-rows.ts';
import { agentEndpoints } from './agents/agents.ts';
import { agentLifecycleEndpoints } from './agents/lifecycle.ts';
import { agentListingEndpoints } from './agents/listings.ts';
import { agentPassportEndpoints } from './agents/passports.ts';
import { delegationEndpoints } from './delegations/delegations.ts';
import { bulkEndpoints } from './fleet/bulk.ts';
import { clientLibraryEndpoints } from './fleet/client-libraries.ts';
import { identityEndpoints } from './identity.ts';
import { oauthEndpoints } from './oauth.ts';

export const AGENTS = {
  ...agentEndpoints,
  ...agentLifecycleEndpoints,
  ...agentListingEndpoints,
  ...agentPassportEndpoints,
  ...bulkEndpoints,
  ...clientLibraryEndpoints,
  ...delegationEndpoints,
  ...identityEndpoints,
  ...oauthEndpoints,
} as const satisfies AreaEndpoints<'agents'>;
