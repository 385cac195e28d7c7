/** Parts of an error that its next step depends on. */
export type NextStepInput = {
  readonly code: string;
  readonly retryable: boolean;
  readonly remedy: string | undefined;
  readonly approvalId: string;
};

const STOPPED = 'A person stopped this. Do not use this tool again until a person resumes it.';
const UNKNOWN_OUTCOME = 'The outcome is unknown. Do not repeat the call; report this, so that a person checks the target system.';
const MISCONFIGURED = 'The function did not run. Do not repeat the call; report this to the developer.';
const NOTHING_HAPPENED = 'Nothing was changed. Do not repeat the call; continue without its effect.';

/** Next steps by code; the Python client has a generated copy. */
export const NEXT_STEPS: Readonly<Record<string, string>> = {
  ACTION_BLOCKED: 'Do not repeat this call. Choose another action that the reason permits, or report that it is not allowed.',
  AUTHORITY_EXCEEDED: 'Do not repeat this call. Request less, or ask for more authority.',
  CAPABILITY_NOT_GRANTED: 'Do not use this tool. Report that the agent lacks it.',
  TOOL_NOT_AUTHORIZED: 'Do not use this tool. Report that the agent lacks it.',
  VELOCITY_LIMIT_EXCEEDED: 'Do not repeat this call now. Wait until the limit allows it.',
  APPROVAL_NOT_GRANTED: 'Do not repeat this call. A person decided against it; report that.',
  APPROVAL_EXPIRED: 'The function did not run. Report that no one decided in time; a new call requests a new approval.',
  APPROVAL_NARROWED: 'The function did not run. A person approved less; report what was approved.',
  ENVIRONMENT_PAUSED: STOPPED,
  AGENT_NOT_OPERATIONAL: STOPPED,
  AGENT_ISOLATED: STOPPED,
  TOOL_DISABLED: STOPPED,
  EXECUTION_TIMEOUT: UNKNOWN_OUTCOME,
  RESULT_WITHHELD: 'The function ran, but its result may not be shown. Do not repeat the call.',
  SIMULATED: NOTHING_HAPPENED,
  NOT_EXECUTED: NOTHING_HAPPENED,
  NOT_FOR_THIS_PROCESS: MISCONFIGURED,
  PARAMETERS_CHANGED: MISCONFIGURED,
  CANNOT_MASK: MISCONFIGURED,
};

/** Returns what a program or a language model does after an error, in one or two sentences. */
export const describeNextStep = ({ code, retryable, remedy, approvalId }: NextStepInput): string => {
  if (code === 'APPROVAL_REQUIRED' || code === 'APPROVAL_PENDING') {
    const named = approvalId === '' ? '' : ` (approval ${approvalId})`;
    return `The function did not run. A person must approve this call first${named}. Do not repeat it or change it; report that it waits for approval.`;
  }
  const step = Object.hasOwn(NEXT_STEPS, code) ? NEXT_STEPS[code] : undefined;
  if (step !== undefined) return step;
  if (retryable) return 'Wait, then repeat the same call once.';
  return remedy ?? 'Do not repeat the same call; report the error.';
};
