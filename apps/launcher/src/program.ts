import path from 'node:path';
import { type BundledProgram, getRunnable, PROGRAMS } from './bundle/bundle-folder.ts';
import { findBundles } from './bundle/provide-bundles.ts';
import { ALLOCATION, getEngineOptions } from './planes/engine-options.ts';

const HELP = `Runs one program in this process, for a container or a service manager:

    node apps/launcher/src/program.ts control-plane
    node apps/launcher/src/program.ts gateway
    node apps/launcher/src/program.ts worker
    node apps/launcher/src/program.ts ops <command>

It reads its settings from the environment. npm run bundle beforehand makes it start faster and use less memory.`;

const root = path.resolve(import.meta.dirname, '..', '..', '..');

const isProgram = (word: string | undefined): word is BundledProgram => PROGRAMS.some((name) => name === word);

/** Returns Node's arguments for the named program; undefined for an unknown name. */
const nodeArguments = ([name, ...words]: readonly string[]): readonly string[] | undefined => {
  if (name === 'ops') return [path.join(root, 'apps', 'launcher', 'src', 'ops.ts'), ...words];
  if (!isProgram(name) || words.length > 0) return undefined;
  return [...getEngineOptions(name), getRunnable(root, findBundles(root), name)];
};

const words = process.argv.slice(2);
const args = nodeArguments(words);
if (args !== undefined) {
  // The program keeps this process id, so that signals of a container or a service manager reach it.
  process.execve?.(process.execPath, [process.execPath, ...args], { ...process.env, ...ALLOCATION } as Record<string, string>);
  throw new Error('This version of Node cannot replace its process: use Node 24.');
}
const isHelp = words.length === 1 && ['-h', '--help', 'help'].includes(words[0] ?? '');
if (isHelp) console.log(HELP);
else console.error(`${words.length === 0 ? 'A program is missing.' : `${words.join(' ')} is not recognized.`}\n\n${HELP}`);
process.exitCode = isHelp ? 0 : 2;
