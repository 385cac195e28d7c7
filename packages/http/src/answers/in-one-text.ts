import type { Fault } from '@svc/contract/rows/fault.ts';
import type { WireError } from './error-to-wire.ts';

/** An error for whoever has a place for one text alone: what is wrong, and where, so that nobody has to guess which member is meant. */
export const inOneText = ({ message, details }: WireError['body']['error']): string => {
  const faults = (details?.faults ?? []) as readonly Fault[];
  const told = faults.map((fault) => `${fault.pointer || '/'}: ${fault.message}`);
  return [...(faults[0]?.message === message ? [] : [message]), ...told].join(' ');
};
