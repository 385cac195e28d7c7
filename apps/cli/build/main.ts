import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { deriveTable } from '../src/table/derive-table.ts';
import { bundleSdk } from './bundle-sdk.ts';

/** Bundles the program with everything that it imports, so that it starts from few files and needs no other package. */
const folder = resolve(import.meta.dirname, '..');
const [, , given] = process.argv;
/** The folder of the package, or the one that is named: it gets a manifest and `dist`. */
const target = given === undefined ? folder : resolve(given);
const dist = join(target, 'dist');

/** Packages in the bundle, whose licences ask for their text to be kept. */
const listPackages = (files: readonly string[]): readonly string[] => {
  const roots = files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []);
  return [...new Set(roots)].toSorted();
};

const readLicence = (root: string): string => {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<Record<string, string>>;
  for (const file of ['LICENSE', 'LICENSE.md', 'license', 'LICENSE.txt']) {
    try {
      return `${name} ${version} (${license})\n\n${readFileSync(join(root, file), 'utf8').trim()}\n`;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  throw new Error(`${root} has no licence file: the bundle may not contain it without one.`);
};

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const bundle = await rolldown({
  input: { svc: join(folder, 'src', 'main.ts') },
  platform: 'node',
  logLevel: 'warn',
  // The other form of jsonc-parser loads its files when it runs, which a bundle cannot.
  resolve: { mainFields: ['module', 'main'] },
});
const { output } = await bundle.write({
  dir: dist,
  format: 'esm',
  minify: true,
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name].mjs',
});
await bundle.close();
const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
writeFileSync(join(dist, 'licences.txt'), listPackages(modules).map(readLicence).join('\n\n'));
copyFileSync(resolve(folder, '../../verifier/verify.mjs'), join(dist, 'verifier.mjs'));
writeFileSync(join(dist, 'governance.mjs'), await bundleSdk());
writeFileSync(join(dist, 'commands.json'), JSON.stringify(deriveTable()));
chmodSync(join(dist, 'svc.mjs'), 0o755);
if (target !== folder) copyFileSync(join(folder, 'package.json'), join(target, 'package.json'));
process.stdout.write(`Built ${output.length} files.\n`);
