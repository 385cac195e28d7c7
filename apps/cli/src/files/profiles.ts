import { join } from 'node:path';
import type { Settings } from '../settings.ts';
import { changeJsonFile, isObject, readJsonFile } from './json-file.ts';

/** The remembered defaults of one installation and account. No secret is in it. */
export type Profile = {
  readonly url?: string;
  readonly workspace?: string;
  readonly environment?: string;
  readonly organization?: string;
  readonly email?: string;
};

export type Profiles = { readonly current: string; readonly profiles: Readonly<Record<string, Profile>> };

const DEFAULT_PROFILE = 'default';
const MEMBERS = ['url', 'workspace', 'environment', 'organization', 'email'] as const;

export const getConfigPath = (settings: Settings): string => join(settings.configFolder, 'config.json');

const readProfile = (value: unknown): Profile => {
  if (!isObject(value)) return {};
  return Object.fromEntries(MEMBERS.flatMap((name) => (typeof value[name] === 'string' ? [[name, value[name]]] : [])));
};

export const readProfiles = (settings: Settings): Profiles => {
  const { current, profiles } = readJsonFile(getConfigPath(settings));
  const named = isObject(profiles) ? Object.entries(profiles).map(([name, each]) => [name, readProfile(each)] as const) : [];
  return { current: typeof current === 'string' ? current : DEFAULT_PROFILE, profiles: Object.fromEntries(named) };
};

/** Changes one profile; undefined members are removed. */
export const saveProfile = (
  settings: Settings,
  name: string,
  change: { readonly [Member in keyof Profile]: Profile[Member] | undefined },
): Promise<void> =>
  changeJsonFile(getConfigPath(settings), (file) => {
    const profiles = isObject(file.profiles) ? file.profiles : {};
    const merged = Object.entries({ ...readProfile(profiles[name]), ...change }).filter(([, value]) => value !== undefined);
    return { ...file, current: file.current ?? name, profiles: { ...profiles, [name]: Object.fromEntries(merged) } };
  });

export const selectProfile = (settings: Settings, name: string): Promise<void> =>
  changeJsonFile(getConfigPath(settings), (file) => ({ ...file, current: name }));
