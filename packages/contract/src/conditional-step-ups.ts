import type { Endpoints } from './endpoints.ts';

type Conditional = {
  [Name in keyof Endpoints]: Endpoints[Name] extends { readonly mayNeed: readonly (infer Needed)[] }
    ? 'step_up' extends Needed
      ? Name
      : never
    : never;
}[keyof Endpoints];

/** Operations that need a step-up for some requests, beyond the thirteen permissions, and for which. Each is marked in its row (`mayNeed`). */
export const CONDITIONAL_STEP_UPS = {
  updateOrganization: 'To change require_mfa or allowed_networks.',
  updateWorkspace: 'To bring back an archived workspace.',
  updateEnvironment: 'To require no delegation any more, or to bring back an archived environment.',
  enrolTotp: 'To add a factor in a session that was not opened a moment ago.',
  preparePasskey: 'To add a factor in a session that was not opened a moment ago.',
  enrolPasskey: 'To add a factor in a session that was not opened a moment ago.',
  linkIdentity: 'To link an identity of a provider.',
  completeOnboarding: 'To reduce enforcement of the environment it names.',
  updateAgent: 'To bring the end of an agent nearer.',
  resumeAgent: 'To lift an isolation.',
  suspendAgent: 'To lift an isolation.',
  rotateAgentCredentials: 'To replace the key of an agent that may use a dangerous or critical tool.',
  authorizeAgentForTool:
    'For a dangerous or critical tool: in an environment of type PRODUCTION, or where the key of the agent was replaced without a step-up.',
  updateTool: 'For a dangerous or critical tool; to lower a risk rating, to clear dangerous or to widen destinations.',
  applyToolImport: 'The same condition as updateTool, for each tool that a proposal changes.',
  approveApproval: 'If the rule requires it.',
  editApproval: 'If the rule requires it.',
  createExchangeRate: 'If the two currencies can already be converted.',
  deleteExchangeRate: 'If the two currencies can be converted without this rate.',
} as const satisfies Readonly<Record<Conditional, string>>;
