import { join } from 'node:path';
import type { ConfigFile, Folders } from './format.ts';

export const getUserFile = (folders: Folders, ...parts: readonly string[]): ConfigFile => ({
  path: join(folders.home, ...parts),
  scope: 'USER',
});

export const getProjectFile = (folders: Folders, ...parts: readonly string[]): ConfigFile => ({
  path: join(folders.project, ...parts),
  scope: 'PROJECT',
});

/** A file below the folder in which desktop applications keep their settings. */
export const getApplicationFile = ({ home, platform, env }: Folders, ...parts: readonly string[]): ConfigFile => {
  const root: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env.APPDATA ?? join(home, 'AppData', 'Roaming'),
  };
  return { path: join(root[platform] ?? env.XDG_CONFIG_HOME ?? join(home, '.config'), ...parts), scope: 'USER' };
};

/** A file below `~/.config`, also where other applications use another folder. */
export const getConfigFile = ({ home, env }: Folders, ...parts: readonly string[]): ConfigFile => ({
  path: join(env.XDG_CONFIG_HOME ?? join(home, '.config'), ...parts),
  scope: 'USER',
});
