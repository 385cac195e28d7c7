import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** Folders of the packages that users install with npm. */
const PACKAGES = ['packages/sdk', 'packages/client', 'apps/cli'];
const withinMs = 300_000;

/** npm settings of the command that runs this one would make npm build for that project instead. */
const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry$)/i.test(name)));

/** Runs a command and returns what it printed. A failure contains its messages. */
export const runTool = (program: string, words: readonly string[], cwd: string): string =>
  execFileSync(program, words, {
    cwd,
    env: plainEnvironment(),
    encoding: 'utf8',
    timeout: withinMs,
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Builds and packs the npm packages of an exported tree. */
export const packNpm = (tree: string, target: string): void => {
  for (const name of PACKAGES) runTool('npm', ['pack', '--loglevel=error', `--pack-destination=${target}`], path.join(tree, name));
};

const hasBuilder = (python: string): boolean => spawnSync(python, ['-c', 'import setuptools, wheel'], { stdio: 'ignore' }).status === 0;

/** A Python with setuptools and wheel: Debian's interpreter first, for which apt-get installs them. */
export const findBuilder = (): string | undefined => ['/usr/bin/python3', 'python3'].find(hasBuilder);

/** Both calls replace the arguments of the process. */
const BUILD =
  'import sys; from setuptools import build_meta as build; target = sys.argv[1]; build.build_sdist(target); build.build_wheel(target)';

/** Builds the sdist and the wheel of the SDK for Python. It uses no network: the builder has to be installed. */
export const packPython = (python: string, tree: string, target: string): void => {
  mkdirSync(target, { recursive: true });
  runTool(python, ['-c', BUILD, target], path.join(tree, 'sdks/python'));
};

/**
 * A CycloneDX document of all packages of the lock file; those of development have the property `cdx:npm:package:development`. npm's
 * `--omit=dev` is not used: it also omits packages that users need and that a test depends on too.
 */
export const getBillOfMaterials = (tree: string): string => {
  const document = JSON.parse(runTool('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], tree));
  document.metadata.component.name = 'agent-governance-service';
  return `${JSON.stringify(document, undefined, 2)}\n`;
};
