import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { SettingsReader } from '@svc/program/settings/read-settings.ts';
import { findKind, SINK_KINDS } from './kinds.ts';

const EXAMPLES = Object.values(SINK_KINDS).map(({ example }) => example.split('//')[0]);

export const readSinks = (read: SettingsReader): readonly string[] => (read.text('SVC_EVENT_SINKS') ?? '').split(/\s+/).filter(Boolean);

const findFault = (text: string): string | undefined => {
  if (!URL.canParse(text)) return 'is not a URL.';
  const url = new URL(text);
  const found = findKind(url);
  return found === undefined ? `has the unknown protocol ${url.protocol} Known: ${EXAMPLES.join(' ')}` : found.kind.fault(url);
};

/** Returns the faults of the setting, without its secrets. */
export const findSinkFaults = (read: SettingsReader): readonly string[] => {
  const sinks = readSinks(read);
  if (sinks.length > LIMITS.sinks.countMax) return [`SVC_EVENT_SINKS names more than ${LIMITS.sinks.countMax} sinks.`];
  return sinks.flatMap((text, index) => {
    const fault = findFault(text);
    return fault === undefined ? [] : [`SVC_EVENT_SINKS: sink ${index + 1}: ${fault}`];
  });
};
