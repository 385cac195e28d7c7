// Compiles the client for import and for require, each with its types. Needs Node 20 and the TypeScript of the project. npm passes
// --prepare when it installs or packs this folder, and in the project's own install, which needs no build.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.dirname(fileURLToPath(import.meta.url));
const project = path.resolve(folder, '../..');

/** True if npm runs it for the install of the project. */
const installsProject = () => {
  const { npm_config_local_prefix: prefix = '', npm_command: command = '' } = process.env;
  return path.resolve(prefix) === project && command !== 'pack' && command !== 'publish';
};

const giveUp = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

/** Compilers before TypeScript 5.7 look for types by the name of the JavaScript file. */
const nameJavaScript = (kind) => {
  const built = path.join(folder, 'dist', kind);
  for (const name of readdirSync(built, { recursive: true }).filter((each) => each.endsWith('.d.ts'))) {
    const file = path.join(built, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.\.?\/[^']+)\.ts'/g, "$1.js'"));
  }
};

const compile = (config) => {
  const compiler = path.join(project, 'node_modules', '.bin', 'tsc');
  if (!existsSync(compiler)) giveUp(`@svc/sdk is compiled from source: run "npm ci" in ${project} first, and then this again.`);
  const { status } = spawnSync(compiler, ['-p', path.join(folder, config)], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

if (process.argv.includes('--prepare') && installsProject()) process.exit(0);
rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
compile('tsconfig.build.json');
compile('tsconfig.build.cjs.json');
// Files below it are CommonJS, including their types.
writeFileSync(path.join(folder, 'dist', 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
nameJavaScript('esm');
nameJavaScript('cjs');
