import type { ChosenRiskSettings } from '@svc/contract/risk/risk-settings.ts';
import { parseNetwork } from '@svc/policy/values/network.ts';
import { parseAllowlistEntry } from '../../tools/destinations/allowlist.ts';
import type { Fault } from '../../tools/fault.ts';

const LABEL = /^[a-z][a-z0-9_]{0,31}$/;

/** Faults of chosen settings that their schema cannot state. */
export const findSettingsFaults = ({
  thresholds,
  hours,
  known_networks = [],
  internal_destinations = [],
  processors = [],
}: ChosenRiskSettings): Fault[] => {
  const faults: Fault[] = [];
  const add = (pointer: string, message: string) => faults.push({ pointer, message });
  if (thresholds && thresholds.high <= thresholds.elevated) add('/thresholds/high', 'must be larger than elevated');
  if (hours && hours.to <= hours.from) add('/hours/to', 'must be later than from');
  for (const [index, text] of known_networks.entries()) {
    const network = parseNetwork(text);
    if ('fault' in network) add(`/known_networks/${index}`, network.fault);
  }
  for (const [index, text] of internal_destinations.entries()) {
    const entry = parseAllowlistEntry(text);
    if ('fault' in entry) add(`/internal_destinations/${index}`, entry.fault);
  }
  for (const [index, { host, labels }] of processors.entries()) {
    const entry = parseAllowlistEntry(host);
    if ('fault' in entry) add(`/processors/${index}/host`, entry.fault);
    for (const [at, label] of labels.entries())
      if (!LABEL.test(label) || label === 'secret' || label === 'untrusted_content')
        add(`/processors/${index}/labels/${at}`, 'must be a label of confidentiality other than secret');
  }
  return faults;
};
