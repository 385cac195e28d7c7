import type { Setting } from '@svc/contract/tables/setting-kinds.ts';
import { SETTING_TABLE, type SettingName } from '@svc/contract/tables/settings.ts';
import type { Value } from './parse-setting.ts';
import { type Env, readSetting } from './read-setting.ts';

/** The effective value of one setting in the programs that read it, and its source. */
export type DescribedSetting = { readonly name: string; readonly value: string; readonly from: string; readonly faults: readonly string[] };

const NOT_SHOWN = '(not shown)';

const getText = (value: Value): string => {
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
  return text === '' ? '-' : text;
};

const describeSetting = (name: SettingName, env: Env): DescribedSetting => {
  const row: Setting = SETTING_TABLE[name];
  const readings = row.programs.map((program) => ({ program, ...readSetting(name, env, program) }));
  const values = new Set(readings.map(({ value }) => getText(value)));
  const faults = [...new Set(readings.flatMap((reading) => reading.faults))];
  const isGiven = readings.some((reading) => reading.isGiven);
  const [only] = values.size === 1 ? values : [];
  const shown = only ?? readings.map(({ program, value }) => `${getText(value)} (${program})`).join(', ');
  const isDefault = row.kind === 'list' || readings.every(({ value }) => value === row.otherwise);
  const from = isGiven ? 'environment' : isDefault ? 'default' : 'other settings';
  return {
    name,
    value: row.secret && isGiven ? NOT_SHOWN : shown,
    from: faults.length > 0 ? 'environment (invalid)' : from,
    faults,
  };
};

/** Lists every setting of the table, in order. Secrets are not shown. An invalid setting has its default value. */
export const describeSettings = (env: Env): readonly DescribedSetting[] =>
  Object.keys(SETTING_TABLE).map((name) => describeSetting(name as SettingName, env));
