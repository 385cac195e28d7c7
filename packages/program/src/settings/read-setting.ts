import type { Program, Setting } from '@svc/contract/tables/setting-kinds.ts';
import { SETTING_TABLE, type SettingName } from '@svc/contract/tables/settings.ts';
import { isReachedFromHere } from './is-reached-from-here.ts';
import { mailFault } from './mail-fault.ts';
import { parseSetting, type Value } from './parse-setting.ts';

/** A budget that many share grows with the one that each of them has, unless it is set itself; `raised` is by how much that is. */
const inProportion = (rate: number, raised: number, most: number): number => Math.min(most, Math.round(rate * Math.max(1, raised)));

export type Env = Readonly<Record<string, string | undefined>>;

/** One setting as a program has it. With faults, `value` is what it would be if the setting was left out. */
export type Reading = { readonly value: Value; readonly isGiven: boolean; readonly faults: readonly string[] };

/** What was given for a name: nothing where it is empty or blank. */
const givenFor = (name: string, env: Env): string | undefined => env[name]?.trim() || undefined;

const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTING_TABLE, name);

/** What a setting is when it is left out; some depend on others. */
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

/** Reads one setting of the table from an environment, as a program has it. */
export const readSetting = (name: SettingName, env: Env, program: Program): Reading => {
  const row: Setting = SETTING_TABLE[name];
  const text = givenFor(name, env);
  const otherwise = otherwiseOf(name, row, env, program);
  if (text === undefined) return { value: otherwise, isGiven: false, faults: [] };
  const parsed = parseSetting(name, row, text, otherwise);
  return 'faults' in parsed ? { value: otherwise, isGiven: true, faults: parsed.faults } : { ...parsed, isGiven: true, faults: [] };
};

/** The settings that a program reads, in the order of the table. */
const settingsOf = (program: Program): readonly SettingName[] =>
  Object.entries<Setting>(SETTING_TABLE).flatMap(([name, { programs }]) => (isSetting(name) && programs.includes(program) ? [name] : []));

/** What is wrong with settings together, though each for itself could be. */
const faultsTogether = (env: Env, program: Program): readonly string[] => {
  if (program !== 'control-plane') return [];
  const { isGiven, faults } = readSetting('SVC_MAIL', env, program);
  const fault = faults.length > 0 ? undefined : mailFault((name) => readSetting(name, env, program).value, isGiven);
  return fault === undefined ? [] : [fault];
};

/** Everything that is wrong with what was given to a program, a sentence each. Nothing is opened, asked or made. */
export const settingFaults = (env: Env, program: Program): readonly string[] => [
  ...settingsOf(program).flatMap((name) => readSetting(name, env, program).faults),
  ...faultsTogether(env, program),
];
