import type { Program, Setting } from '@svc/contract/tables/setting-kinds.ts';
import { SETTING_TABLE, type SettingName } from '@svc/contract/tables/settings.ts';
import { isReachedFromHere } from './is-reached-from-here.ts';
import { findMailFault } from './mail-fault.ts';
import { parseSetting, type Value } from './parse-setting.ts';

/** Scales the default of a shared budget with the per-client budget, unless it is set itself; `raised` is the factor. */
const inProportion = (rate: number, raised: number, most: number): number => Math.min(most, Math.round(rate * Math.max(1, raised)));

export type Env = Readonly<Record<string, string | undefined>>;

/** One setting as a program reads it. With faults, `value` is the default. */
export type SettingReading = { readonly value: Value; readonly isGiven: boolean; readonly faults: readonly string[] };

/** Returns the value given for a name: undefined if it is empty or blank. */
const givenFor = (name: string, env: Env): string | undefined => env[name]?.trim() || undefined;

const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTING_TABLE, name);

/** Returns the default of a setting; some depend on other settings. */
const otherwiseOf = (name: SettingName, row: Setting, env: Env, program: Program): Value => {
  if (name === 'SVC_SIGNUP') return isReachedFromHere((other) => readSetting(other, env, program).value) ? 'open' : 'closed';
  if (name === 'SVC_MAIL') return readSetting('SMTP_URL', env, program).value === undefined ? 'outbox' : 'smtp';
  if (row.kind === 'list') return [];
  const grows = row.kind === 'integer' ? row.growsWith?.[program] : undefined;
  if (row.kind !== 'integer' || grows === undefined || !isSetting(grows)) return row.otherwise;
  const own = SETTING_TABLE[grows] as Setting;
  const raised = Number(readSetting(grows, env, program).value) / (own.kind === 'integer' ? own.otherwise : 1);
  return inProportion(row.otherwise, raised, row.to);
};

/** Reads one setting of the table from an environment, for one program. */
export const readSetting = (name: SettingName, env: Env, program: Program): SettingReading => {
  const row: Setting = SETTING_TABLE[name];
  const text = givenFor(name, env);
  const otherwise = otherwiseOf(name, row, env, program);
  if (text === undefined) return { value: otherwise, isGiven: false, faults: [] };
  const parsed = parseSetting(name, row, text, otherwise);
  return 'faults' in parsed ? { value: otherwise, isGiven: true, faults: parsed.faults } : { ...parsed, isGiven: true, faults: [] };
};

/** Returns the settings that a program reads, in the order of the table. */
const listSettings = (program: Program): readonly SettingName[] =>
  Object.entries<Setting>(SETTING_TABLE).flatMap(([name, { programs }]) => (isSetting(name) && programs.includes(program) ? [name] : []));

/** Returns the faults of combinations of settings that are valid by themselves. */
const faultsTogether = (env: Env, program: Program): readonly string[] => {
  if (program !== 'control-plane') return [];
  const { isGiven, faults } = readSetting('SVC_MAIL', env, program);
  const fault = faults.length > 0 ? undefined : findMailFault((name) => readSetting(name, env, program).value, isGiven);
  return fault === undefined ? [] : [fault];
};

/** Returns all faults of a program's settings, one sentence each. Opens, queries and creates nothing. */
export const findSettingFaults = (env: Env, program: Program): readonly string[] => [
  ...listSettings(program).flatMap((name) => readSetting(name, env, program).faults),
  ...faultsTogether(env, program),
];
