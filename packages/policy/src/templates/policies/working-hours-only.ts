import { WEEKDAYS, type Weekday } from '@svc/contract/policies/language.ts';
import { type PolicyTemplate, parameter } from '../form/policy-template.ts';
import { days, hours, matchBeginning, matchEnding, minuteBefore } from '../form/template-values.ts';

const workday = (free: readonly Weekday[]): Weekday | undefined => WEEKDAYS.find((day) => !free.includes(day));

export const workingHoursOnly: PolicyTemplate = {
  id: 'working-hours-only',
  name: 'Working hours only',
  description:
    'Requires approval outside working hours and on weekends. This policy only restricts: another policy, such as "Allow what was granted", must permit actions.',
  parameters: [
    parameter({
      name: 'hours',
      sentence: 'Working hours, from-to.',
      kind: hours,
      default: '08:00-18:00',
      places: {
        '/rules/0/when/not/value': (value) => value,
        '/rules/0/reason': (value) => `Actions outside ${matchBeginning(value)} to ${matchEnding(value)} require approval.`,
        '/tests/0/given/time.clock': (value) => minuteBefore(matchBeginning(value)),
        '/tests/1/given/time.clock': matchEnding,
        '/tests/2/given/time.clock': matchBeginning,
        '/tests/3/given/time.clock': matchBeginning,
      },
    }),
    parameter({
      name: 'days',
      sentence: 'Non-working days.',
      kind: days,
      default: ['SAT', 'SUN'],
      places: {
        '/rules/1/when/value': (value) => value,
        '/tests/0/given/time.weekday': workday,
        '/tests/1/given/time.weekday': workday,
        '/tests/2/given/time.weekday': (value) => value[0],
        '/tests/3/given/time.weekday': workday,
      },
    }),
  ],
  rules: [
    {
      id: 'after-hours',
      effect: 'REQUIRE_APPROVAL',
      if_missing: 'match',
      when: { not: { field: 'time.clock', op: 'within_hours', value: '08:00-18:00' } },
      reason: 'Actions outside 08:00 to 18:00 require approval.',
    },
    {
      id: 'free-days',
      effect: 'REQUIRE_APPROVAL',
      if_missing: 'match',
      when: { field: 'time.weekday', op: 'on_weekdays', value: ['SAT', 'SUN'] },
      reason: 'Actions on non-working days require approval.',
    },
  ],
  tests: [
    {
      name: 'early in the morning',
      given: { 'time.clock': '07:59', 'time.weekday': 'MON' },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'after-hours' },
    },
    {
      name: 'in the evening',
      given: { 'time.clock': '18:00', 'time.weekday': 'MON' },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'after-hours' },
    },
    {
      name: 'on a non-working day',
      given: { 'time.clock': '08:00', 'time.weekday': 'SAT' },
      then: { effect: 'REQUIRE_APPROVAL', rule: 'free-days' },
    },
    {
      name: 'working hours are not affected',
      given: { 'time.clock': '08:00', 'time.weekday': 'MON' },
      then: { effect: 'BLOCK', rule: null },
    },
  ],
};
