import { actionNouns } from '../actions/actions/noun.ts';
import { approvalNouns } from '../actions/approvals/noun.ts';
import { agentNouns } from '../agents/agents/noun.ts';
import { delegationNouns } from '../agents/delegations/noun.ts';
import { credentialNouns } from '../credentials/credentials/noun.ts';
import { auditEventNouns } from '../events/audit-events/noun.ts';
import { auditLogNouns } from '../events/audit-log/noun.ts';
import { auditSearchNouns } from '../events/audit-searches/noun.ts';
import { complianceNouns } from '../events/compliance/noun.ts';
import { deliveryNouns } from '../events/deliveries/noun.ts';
import { notificationChannelNouns } from '../events/notification-channels/noun.ts';
import { notificationNouns } from '../events/notifications/noun.ts';
import { webhookNouns } from '../events/webhooks/noun.ts';
import { emergencyNouns } from '../incidents/emergency/noun.ts';
import { incidentRuleNouns } from '../incidents/incident-rules/noun.ts';
import { incidentNouns } from '../incidents/incidents/noun.ts';
import { exchangeRateNouns } from '../money/fx-rates/noun.ts';
import { a2aNouns } from '../peers/a2a/noun.ts';
import { mcpNouns } from '../peers/mcp/noun.ts';
import { apiKeyNouns } from '../people/api-keys/noun.ts';
import { authNouns } from '../people/auth/noun.ts';
import { cliNouns } from '../people/cli/noun.ts';
import { invitationNouns } from '../people/invitations/noun.ts';
import { memberNouns } from '../people/members/noun.ts';
import { onboardingNouns } from '../people/onboarding/noun.ts';
import { roleNouns } from '../people/roles/noun.ts';
import { scimNouns } from '../people/scim/noun.ts';
import { secondFactorNouns } from '../people/second-factors/noun.ts';
import { sessionNouns } from '../people/sessions/noun.ts';
import { ssoNouns } from '../people/sso/noun.ts';
import { invariantNouns } from '../policies/invariants/noun.ts';
import { policyNouns } from '../policies/policies/noun.ts';
import { contextNouns } from '../risk/contexts/noun.ts';
import { riskEventNouns } from '../risk/risk-events/noun.ts';
import { riskSettingsNouns } from '../risk/risk-settings/noun.ts';
import { trustNouns } from '../risk/trust/noun.ts';
import { runtimeNouns } from '../runtimes/runtimes/noun.ts';
import { infoNouns } from '../service/info/noun.ts';
import { environmentNouns } from '../tenancy/environments/noun.ts';
import { organizationNouns } from '../tenancy/organization/noun.ts';
import { workspaceNouns } from '../tenancy/workspaces/noun.ts';
import { codeAssistNouns } from '../tools/code-assist/noun.ts';
import { integrationNouns } from '../tools/integrations/noun.ts';
import { catalogueNouns } from '../tools/tool-catalogue/noun.ts';
import { toolImportNouns } from '../tools/tool-imports/noun.ts';
import { toolNouns } from '../tools/tools/noun.ts';
import type { NounFacts } from './noun-facts.ts';

/** Facts of every noun. The API lists added event types in this order, so append new nouns. */
export const NOUNS = {
  ...auditEventNouns,
  ...auditLogNouns,
  ...auditSearchNouns,
  ...complianceNouns,
  ...actionNouns,
  ...approvalNouns,
  ...exchangeRateNouns,
  ...policyNouns,
  ...invariantNouns,
  ...toolNouns,
  ...toolImportNouns,
  ...credentialNouns,
  ...agentNouns,
  ...delegationNouns,
  ...authNouns,
  ...cliNouns,
  ...sessionNouns,
  ...secondFactorNouns,
  ...memberNouns,
  ...invitationNouns,
  ...roleNouns,
  ...apiKeyNouns,
  ...ssoNouns,
  ...scimNouns,
  ...onboardingNouns,
  ...organizationNouns,
  ...workspaceNouns,
  ...environmentNouns,
  ...webhookNouns,
  ...deliveryNouns,
  ...notificationNouns,
  ...notificationChannelNouns,
  ...incidentNouns,
  ...incidentRuleNouns,
  ...emergencyNouns,
  ...a2aNouns,
  ...mcpNouns,
  ...runtimeNouns,
  ...infoNouns,
  ...riskEventNouns,
  ...riskSettingsNouns,
  ...catalogueNouns,
  ...integrationNouns,
  ...codeAssistNouns,
  ...contextNouns,
  ...trustNouns,
} as const satisfies Record<string, NounFacts>;

/** The nouns as a list, for code that derives a table. */
export const nounEntries: readonly (readonly [noun: string, facts: NounFacts])[] = Object.entries(NOUNS);
