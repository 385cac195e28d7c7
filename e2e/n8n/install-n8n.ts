import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The version that the bundle and the recorded answers are of. */
const N8N_VERSION = '2.41.1';
const INSTALL_MS_MAX = 2_400_000;

/** Returns a folder with n8n, which is installed where it is missing. Its native modules are not built: it runs on PostgreSQL. */
export const installN8n = async (given: string | undefined): Promise<string> => {
  const folder = resolve(given ?? resolve(import.meta.dirname, '../../.cache/n8n'));
  if (existsSync(join(folder, 'node_modules/n8n/bin/n8n'))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { n8n: N8N_VERSION } }));
  console.log(`Installing n8n ${N8N_VERSION} into ${folder} ...`);
  // Its peers conflict with each other, which npm does not end with otherwise.
  const npm = spawn('npm', ['install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
    timeout: INSTALL_MS_MAX,
  });
  const code = await new Promise((end) => npm.once('exit', end));
  if (code !== 0) throw new Error(`npm ended with ${code}: n8n ${N8N_VERSION} could not be installed.`);
  return folder;
};
