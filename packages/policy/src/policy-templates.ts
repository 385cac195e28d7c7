import type { PolicyTemplate } from './policy-template.ts';
import { allowGranted } from './templates/allow-granted.ts';
import { breakGlass } from './templates/break-glass.ts';
import { changeFreeze } from './templates/change-freeze.ts';
import { contractorsAgents } from './templates/contractors-agents.ts';
import { dangerousToolsNeedTwo } from './templates/dangerous-tools-need-two.ts';
import { dataStaysInDomains } from './templates/data-stays-in-domains.ts';
import { deletesNeedApproval } from './templates/deletes-need-approval.ts';
import { externalEmailNeedsApproval } from './templates/external-email-needs-approval.ts';
import { highRiskNeedsSecurity } from './templates/high-risk-needs-security.ts';
import { knownCurrenciesOnly } from './templates/known-currencies-only.ts';
import { newAgentsOnProbation } from './templates/new-agents-on-probation.ts';
import { noMoneyByAutomation } from './templates/no-money-by-automation.ts';
import { noPrivateAddresses } from './templates/no-private-addresses.ts';
import { noProductionAtNight } from './templates/no-production-at-night.ts';
import { officeNetworkOnly } from './templates/office-network-only.ts';
import { paymentCardsNeedApproval } from './templates/payment-cards-need-approval.ts';
import { readOnlyAgent } from './templates/read-only-agent.ts';
import { refundsOverAmount } from './templates/refunds-over-amount.ts';
import { spendingTiers } from './templates/spending-tiers.ts';
import { workingHoursOnly } from './templates/working-hours-only.ts';

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
];

/** Policies to start from, in the order in which they are shown. */
export const policyTemplates = (): readonly PolicyTemplate[] => TEMPLATES;

export const findTemplate = (id: string): PolicyTemplate | undefined => TEMPLATES.find((template) => template.id === id);
