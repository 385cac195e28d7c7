import type { Conduct } from '../../conduct/conduct.ts';
import { type SignalDefinition, type SignalFacts, UNKNOWN } from '../signal.ts';

const ACTIONS_MIN = 200;
const SHARE_MAX = 0.002;

/** Share of permitted actions in an hour of the day (UTC) and half of its neighbours. */
const hourShare = ({ hours }: Pick<Conduct, 'hours'>, hour: number): number => {
  const at = (index: number): number => hours[(index + 24) % 24] as number;
  const total = hours.reduce((sum, weight) => sum + weight, 0);
  return total === 0 ? 1 : (at(hour) + (at(hour - 1) + at(hour + 1)) / 2) / total;
};

const outsideSettings = ({ rules, localHour, isWeekend }: SignalFacts): boolean => {
  const { hours } = rules;
  return hours !== null && (localHour < hours.from || localHour >= hours.to || (hours.weekdays_only && isWeekend));
};

export const unusualHour: SignalDefinition = {
  name: 'unusual_hour',
  look: (facts) => {
    const { rules, conduct, localHour, nowMs } = facts;
    if (rules.hours !== null) {
      if (!outsideSettings(facts)) return undefined;
      const span = `${rules.hours.from}:00-${rules.hours.to}:00`;
      return {
        subject: 'hours',
        sentence: `The agent acts at ${localHour}:00, outside the hours of its environment (${span}).`,
        evidence: { hour: localHour, hours: span },
      };
    }
    if (conduct === null) return UNKNOWN;
    const hour = new Date(nowMs).getUTCHours();
    const share = hourShare(conduct, hour);
    if (conduct.permitted < ACTIONS_MIN || share >= SHARE_MAX) return undefined;
    return {
      subject: `hour ${hour}`,
      sentence: `The agent hardly ever acts at ${hour}:00 UTC: ${(share * 100).toFixed(2)} % of its actions.`,
      evidence: { hour_utc: hour, share_percent: Number((share * 100).toFixed(2)) },
    };
  },
};
