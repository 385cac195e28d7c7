import type { Endpoints } from './endpoints.ts';

type Conditional = {
  [Name in keyof Endpoints]: Endpoints[Name] extends { readonly mayNeed: readonly (infer Needed)[] }
    ? 'step_up' extends Needed
      ? Name
      : never
    : never;
}[keyof Endpoints];

/**
 * Operations that need a step-up for some requests, in addition to the thirteen permissions, and for which requests. Each is marked in its
 * row (`mayNeed`).
 */
export const CONDITIONAL_STEP_UPS = {
  updateOrganization: 'To change require_mfa or allowed_networks.',
  updateWorkspace: 'To unarchive a workspace.',
  updateEnvironment: 'To remove the delegation requirement, or to unarchive an environment.',
  enrolTotp: 'To add a factor in a session that was not started recently.',
  preparePasskey: 'To add a factor in a session that was not started recently.',
  enrolPasskey: 'To add a factor in a session that was not started recently.',
  linkIdentity: 'To link an identity of a provider.',
  completeOnboarding: 'To reduce enforcement of the given environment.',
  updateAgent: 'To set an earlier expiry of an agent.',
  resumeAgent: 'To end an isolation.',
  suspendAgent: 'To end an isolation.',
  rotateAgentCredentials: 'To replace the key of an agent that may use a dangerous or critical tool.',
  authorizeAgentForTool:
    'For a dangerous or critical tool, if its environment is of type PRODUCTION or the key of the agent was replaced without a step-up.',
  verifyA2aConnection: 'To release a blocked connection.',
  authorizeMcpTool: 'For a dangerous or critical tool.',
  containIncident: 'With steps: each is an emergency control.',
  updateTool: 'To change a dangerous or critical tool, to lower a risk rating, to clear dangerous or to widen destinations.',
  applyToolImport: 'The same condition as updateTool, for each tool that a proposal changes.',
  updateIntegration: 'The same condition as updateTool, for each tool that it changes.',
  approveApproval: 'If the rule requires it.',
  editApproval: 'If the rule requires it.',
  createIncidentRule: 'To pause agents by the rule.',
  updateIncidentRule: 'Always.',
  deleteIncidentRule: 'Always.',
  updateRiskSettings: 'To loosen: higher thresholds, lower points, wider exceptions or more than one flow context.',
  declareToolFlow: 'To loosen: fewer labels, a narrower reach, more readers or fewer side effects.',
  declassifyContext: 'Always.',
  disableTrustProvider: 'If evidence of the provider lowers the level of an agent.',
  revokeTrustEvidence: 'If the piece lowers the level of the agent.',
  requireEnvironmentTrust: 'To loosen: a lower level, fewer kinds or a greater age.',
  requireToolTrust: 'To loosen: a lower level, fewer kinds or a greater age.',
  createExchangeRate: 'If the two currencies can already be converted.',
  registerRuntime: 'With admin_access OPERATE.',
  updateRuntime: 'To weaken enforcement: fail_closed, admin_access, the required status, allowed hosts, or the binding of an agent.',
  deleteExchangeRate: 'If the two currencies can be converted without this rate.',
} as const satisfies Readonly<Record<Conditional, string>>;
