import type { SignalDefinition } from '../signal.ts';

/** Never adds points: anyone who knows the id of an agent can fail to sign in as it. Gateways count them and report many as a risk event without points. */
export const assertionFailures: SignalDefinition = { name: 'assertion_failures', look: () => undefined };
