// Builds the package when npm packs it or installs its folder elsewhere; an install of the whole project needs no build.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { npm_config_local_prefix: prefix = '', npm_command: command = '' } = process.env;
const installsProject = path.resolve(prefix) === path.resolve(folder, '../..') && command !== 'pack' && command !== 'publish';
if (!installsProject) {
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: folder, stdio: 'inherit' });
  process.exit(status ?? 1);
}
