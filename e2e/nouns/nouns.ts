import { actionTests } from './actions/actions.ts';
import { approvalTests } from './actions/approvals.ts';
import { agentTests } from './agents/agents.ts';
import { delegationTests } from './agents/delegations.ts';
import { fleetTests } from './agents/fleet.ts';
import { identityTests } from './agents/identity.ts';
import { oauthTests } from './agents/oauth.ts';
import { credentialTests } from './credentials/credentials.ts';
import { auditExportTests } from './events/audit-exports.ts';
import { auditLogTests } from './events/audit-log.ts';
import { auditRetentionTests } from './events/audit-retention.ts';
import { auditSearchTests } from './events/audit-searches.ts';
import { deliveryTests } from './events/deliveries.ts';
import { notificationChannelTests } from './events/notification-channels.ts';
import { notificationTests } from './events/notifications.ts';
import { webhookTests } from './events/webhooks.ts';
import { emergencyTests } from './incidents/emergency.ts';
import { incidentRuleTests } from './incidents/incident-rules.ts';
import { incidentTests } from './incidents/incidents.ts';
import { fxRateTests } from './money/fx-rates.ts';
import { a2aTests } from './peers/a2a.ts';
import { mcpTests } from './peers/mcp.ts';
import { apiKeyTests } from './people/api-keys.ts';
import { authTests } from './people/auth.ts';
import { cliTests } from './people/cli.ts';
import { deviceApprovalTests } from './people/device-approvals.ts';
import { invitationTests } from './people/invitations.ts';
import { memberTests } from './people/members.ts';
import { onboardingTests } from './people/onboarding.ts';
import { passwordTests } from './people/passwords.ts';
import { roleTests } from './people/roles.ts';
import { scimTests } from './people/scim.ts';
import { secondFactorTests } from './people/second-factors.ts';
import { sessionTests } from './people/sessions.ts';
import { ssoTests } from './people/sso.ts';
import { invariantTests } from './policies/invariants.ts';
import { policyTests } from './policies/policies.ts';
import { trialTests } from './policies/trials.ts';
import { contextTests } from './risk/contexts.ts';
import { riskEventTests } from './risk/risk-events.ts';
import { riskSettingsTests } from './risk/risk-settings.ts';
import { trustTests } from './risk/trust.ts';
import { runtimeTests } from './runtimes/runtimes.ts';
import { infoTests } from './service/info.ts';
import { environmentTests } from './tenancy/environments.ts';
import { organizationTests } from './tenancy/organization.ts';
import { workspaceTests } from './tenancy/workspaces.ts';
import { codeAssistTests } from './tools/code-assist.ts';
import { integrationTests } from './tools/integrations.ts';
import { toolImportTests } from './tools/tool-imports.ts';
import { toolTests } from './tools/tools.ts';

/** The tests of every noun. Recipes run in this order in one organization; those that end agents come last. */
export const NOUN_TESTS = [
  authTests,
  onboardingTests,
  apiKeyTests,
  auditLogTests,
  auditRetentionTests,
  auditExportTests,
  auditSearchTests,
  ssoTests,
  scimTests,
  cliTests,
  memberTests,
  invitationTests,
  roleTests,
  secondFactorTests,
  deviceApprovalTests,
  passwordTests,
  sessionTests,
  credentialTests,
  infoTests,
  organizationTests,
  workspaceTests,
  environmentTests,
  riskSettingsTests,
  riskEventTests,
  contextTests,
  trustTests,
  fxRateTests,
  toolTests,
  policyTests,
  trialTests,
  invariantTests,
  toolImportTests,
  a2aTests,
  integrationTests,
  codeAssistTests,
  mcpTests,
  runtimeTests,
  delegationTests,
  actionTests,
  approvalTests,
  webhookTests,
  deliveryTests,
  notificationTests,
  notificationChannelTests,
  emergencyTests,
  incidentRuleTests,
  incidentTests,
  identityTests,
  oauthTests,
  agentTests,
  fleetTests,
] as const;

export type EachNoun = (typeof NOUN_TESTS)[number];
