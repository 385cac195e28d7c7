import type { Program } from '@svc/contract/tables/setting-kinds.ts';
import type { SETTING_TABLE, SettingOf, WordOf } from '@svc/contract/tables/settings.ts';
import type { Value } from './parse-setting.ts';
import { type Env, findSettingFaults, readSetting } from './read-setting.ts';

/** The type of a text setting: undefined if it has no default and is not set. */
type TextOf<Name extends SettingOf<'text'>> = (typeof SETTING_TABLE)[Name] extends { readonly otherwise: string }
  ? string
  : string | undefined;

/** Settings by their names in the table. All faults are known from the start, together. */
export type SettingsReader = {
  readonly faults: readonly string[];
  readonly integer: (name: SettingOf<'integer'>) => number;
  readonly flag: (name: SettingOf<'flag'>) => boolean;
  readonly word: <Name extends SettingOf<'word'>>(name: Name) => WordOf<Name>;
  readonly text: <Name extends SettingOf<'text'>>(name: Name) => TextOf<Name>;
  readonly list: (name: SettingOf<'list'>) => readonly string[];
};

/** Reads the settings of a program from an environment: a pure function of the table and the environment. */
export const readSettings = (env: Env, program: Program): SettingsReader => {
  const read = (name: Parameters<typeof readSetting>[0]): Value => readSetting(name, env, program).value;
  return {
    faults: findSettingFaults(env, program),
    integer: (name) => read(name) as number,
    flag: (name) => read(name) as boolean,
    word: <Name extends SettingOf<'word'>>(name: Name) => read(name) as WordOf<Name>,
    text: <Name extends SettingOf<'text'>>(name: Name) => read(name) as TextOf<Name>,
    list: (name) => read(name) as readonly string[],
  };
};
