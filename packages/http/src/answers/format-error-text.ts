import type { Fault } from '@svc/contract/rows/fault.ts';
import type { WireError } from './error-to-wire.ts';

/** Formats an error for a client that shows one text only: what is wrong, and at which member. */
export const formatErrorText = ({ message, details }: WireError['body']['error']): string => {
  const faults = (details?.faults ?? []) as readonly Fault[];
  const told = faults.map((fault) => `${fault.pointer || '/'}: ${fault.message}`);
  return [...(faults[0]?.message === message ? [] : [message]), ...told].join(' ');
};
