import type { PolicyTemplate } from './form/policy-template.ts';
import { allowGranted } from './policies/allow-granted.ts';
import { approveConfidentialEgress } from './policies/approve-confidential-egress.ts';
import { approveDangerousAfterUntrustedContent } from './policies/approve-dangerous-after-untrusted-content.ts';
import { blockExfiltrationAfterUntrustedContent } from './policies/block-exfiltration-after-untrusted-content.ts';
import { breakGlass } from './policies/break-glass.ts';
import { changeFreeze } from './policies/change-freeze.ts';
import { contractorsAgents } from './policies/contractors-agents.ts';
import { dangerousToolsNeedTwo } from './policies/dangerous-tools-need-two.ts';
import { dataStaysInDomains } from './policies/data-stays-in-domains.ts';
import { deletesNeedApproval } from './policies/deletes-need-approval.ts';
import { externalEmailNeedsApproval } from './policies/external-email-needs-approval.ts';
import { freshContextForSecrets } from './policies/fresh-context-for-secrets.ts';
import { highRiskNeedsSecurity } from './policies/high-risk-needs-security.ts';
import { knownCurrenciesOnly } from './policies/known-currencies-only.ts';
import { newAgentsOnProbation } from './policies/new-agents-on-probation.ts';
import { noMoneyByAutomation } from './policies/no-money-by-automation.ts';
import { noPrivateAddresses } from './policies/no-private-addresses.ts';
import { noProductionAtNight } from './policies/no-production-at-night.ts';
import { officeNetworkOnly } from './policies/office-network-only.ts';
import { paymentCardsNeedApproval } from './policies/payment-cards-need-approval.ts';
import { readOnlyAgent } from './policies/read-only-agent.ts';
import { refundsOverAmount } from './policies/refunds-over-amount.ts';
import { secretsStayInside } from './policies/secrets-stay-inside.ts';
import { spendingTiers } from './policies/spending-tiers.ts';
import { workingHoursOnly } from './policies/working-hours-only.ts';

const TEMPLATES: readonly PolicyTemplate[] = [
  allowGranted,
  refundsOverAmount,
  spendingTiers,
  noProductionAtNight,
  workingHoursOnly,
  changeFreeze,
  readOnlyAgent,
  externalEmailNeedsApproval,
  dataStaysInDomains,
  noPrivateAddresses,
  dangerousToolsNeedTwo,
  highRiskNeedsSecurity,
  contractorsAgents,
  breakGlass,
  newAgentsOnProbation,
  noMoneyByAutomation,
  deletesNeedApproval,
  officeNetworkOnly,
  paymentCardsNeedApproval,
  knownCurrenciesOnly,
  secretsStayInside,
  blockExfiltrationAfterUntrustedContent,
  approveConfidentialEgress,
  approveDangerousAfterUntrustedContent,
  freshContextForSecrets,
];

/** Returns the policy templates, in display order. */
export const policyTemplates = (): readonly PolicyTemplate[] => TEMPLATES;

export const findTemplate = (id: string): PolicyTemplate | undefined => TEMPLATES.find((template) => template.id === id);
