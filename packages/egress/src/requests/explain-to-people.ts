import { SETTINGS } from '@svc/contract/tables/limits.ts';
import type { EgressResult } from './egress-request.ts';

/** Settings of the operator that allow a call which was refused. */
export type AllowingSetting = Extract<keyof typeof SETTINGS, 'egressAllowedCidrs' | 'credentialsOverHttp'>;

type Unsent = Extract<EgressResult, { readonly kind: 'unreachable' | 'refused' }>;

/**
 * Returns the setting that allows the call, as a sentence that follows another one; empty if there is none. For people: never put it into a
 * response to an agent.
 */
export const describeAllowingSetting = ({ setting }: Pick<Unsent, 'setting'>): string =>
  setting === undefined ? '' : ` The operator of the service can allow it with ${SETTINGS[setting]}.`;

/** Returns why a call was not sent, with the setting that allows it, for people. */
export const formatUserMessage = (result: Unsent): string =>
  `${'detail' in result ? result.detail : result.reason}${describeAllowingSetting(result)}`;
