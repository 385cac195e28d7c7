import type { RiskSignal } from '../signal.ts';

/** Never adds points: anyone who knows the id of an agent can fail to sign in as it. It is reported separately as a risk event. */
export const assertionFailures: RiskSignal = { name: 'assertion_failures', look: () => undefined };
