import { computeUnusualBound } from '../../conduct/baseline.ts';
import { computeHour, RECORDS_FLOOR } from '../../conduct/conduct.ts';
import { countDistinct } from '../../conduct/distinct.ts';
import { type SignalDefinition, UNKNOWN } from '../signal.ts';

export const enumeration: SignalDefinition = {
  name: 'enumeration',
  look: ({ conduct, record, nowMs, tool }) => {
    if (record === null) return undefined;
    if (conduct === null) return UNKNOWN;
    if (conduct.records.slot !== computeHour(nowMs)) return undefined;
    const distinct = countDistinct(conduct.registers);
    if (distinct <= computeUnusualBound(conduct.records, RECORDS_FLOOR)) return undefined;
    const usual = Math.round(conduct.records.mean);
    return {
      subject: tool?.name ?? 'records',
      sentence: `The agent read about ${distinct} different records in this hour; about ${usual} are usual.`,
      evidence: { records: distinct, usual },
    };
  },
};
