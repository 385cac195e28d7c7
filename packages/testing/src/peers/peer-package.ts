import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const run = promisify(execFile);

const getFolder = (name: PublishedPackage): string => resolve(import.meta.dirname, name === 'cli' ? '../../../../apps' : '../../..', name);
export const packageFolder = getFolder('sdk');
const compiler = resolve(packageFolder, '../../node_modules/.bin/tsc');

/** The packages that users install. */
type PublishedPackage = 'sdk' | 'client' | 'cli';

/** A user's folder with the published package installed and nothing else of this project. */
export type Installed = {
  readonly folder: string;
  /** The installed package. */
  readonly at: string;
  /** Runs the compiler on the folder with these options; rejects with its errors. */
  readonly compile: (options: Readonly<Record<string, unknown>>, files: readonly string[]) => Promise<void>;
  readonly remove: () => void;
};

const getNpm =
  (env: NodeJS.ProcessEnv) =>
  (cwd: string, ...words: readonly string[]) =>
    run('npm', words, { cwd, env, timeout: 120_000 });

/** Creates a user's folder, and deletes the built package, so that only an install or a pack builds it. */
const newFolder = (name: PublishedPackage): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'somebody', private: true, type: 'module' }));
  rmSync(join(getFolder(name), 'dist'), { recursive: true, force: true });
  return folder;
};

/** Creates the folder of a user who installs the package's folder, as its README says. */
export const installFolder = async (env: NodeJS.ProcessEnv): Promise<Pick<Installed, 'folder' | 'remove'>> => {
  const folder = newFolder('sdk');
  await getNpm(env)(folder, 'install', '--offline', '--no-audit', '--no-fund', packageFolder);
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
};

/** `env` is a person's: npm's variables about this project must not reach the user's npm. */
export const installPackage = async (env: NodeJS.ProcessEnv, name: PublishedPackage = 'sdk'): Promise<Installed> => {
  const npm = getNpm(env);
  const folder = newFolder(name);
  const packed = await npm(getFolder(name), 'pack', '--json', `--pack-destination=${folder}`);
  const [{ filename }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')));
  await npm(folder, 'install', '--offline', '--no-audit', '--no-fund', join(folder, filename));
  return {
    folder,
    at: join(folder, 'node_modules', '@svc', name),
    compile: async (options, files) => {
      const config = join(folder, 'tsconfig.json');
      const strict = { target: 'es2022', strict: true, exactOptionalPropertyTypes: true, skipDefaultLibCheck: true };
      writeFileSync(config, JSON.stringify({ compilerOptions: { ...strict, ...options }, files }));
      await run(compiler, ['-p', config]).catch(({ stdout }) => {
        throw new Error(stdout);
      });
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
};
