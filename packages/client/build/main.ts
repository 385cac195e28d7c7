import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { type Endpoint, listPermissions, stepUpOfRow } from '@svc/contract/rows/endpoint.ts';
import { OPERATIONS } from '../src/operations.ts';
import { formatOperationTypesText } from './operation-types-text.ts';

/** Compiles the client for `import` and `require`, each with types, and writes a description of every operation next to it. */
const folder = resolve(import.meta.dirname, '..');
const project = resolve(folder, '../..');
const work = join(folder, '.cache', 'build');
const dist = join(folder, 'dist');

const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2023', 'es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  strict: true,
  skipLibCheck: true,
  declaration: true,
  rewriteRelativeImportExtensions: true,
  allowImportingTsExtensions: true,
  rootDir: 'src',
};
const KINDS = {
  esm: { module: 'nodenext', moduleResolution: 'nodenext' },
  cjs: { module: 'commonjs', moduleResolution: 'bundler' },
} as const;

const compile = (kind: keyof typeof KINDS): void => {
  const config = join(work, `tsconfig.${kind}.json`);
  const outDir = join(dist, kind);
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...COMPILER_OPTIONS, ...KINDS[kind], outDir }, include: ['src'] }));
  const compiler = join(project, 'node_modules', '.bin', 'tsc');
  if (!existsSync(compiler)) throw new Error(`The package is compiled from source: run "npm ci" in ${project} first.`);
  const { status } = spawnSync(compiler, ['-p', config], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`The ${kind} build failed.`);
  // Compilers from before TypeScript 5.7 look for types next to the name of the JavaScript file.
  for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.d.ts'))) {
    const file = join(outDir, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.\.?\/[^']+)\.ts'/g, "$1.js'"));
  }
};

const describe = (name: string, row: Endpoint) => ({
  name,
  plane: row.plane,
  area: row.area,
  method: row.method,
  path: row.path,
  summary: row.summary,
  credential: row.credential,
  permissions: listPermissions(row),
  step_up: stepUpOfRow(row) ?? false,
  wire: row.wire,
  idempotent: row.idempotent ?? false,
  emergency: row.emergency ?? false,
  body_optional: row.bodyOptional ?? false,
  query: row.query ?? null,
  body: row.body ?? null,
  result: row.result,
});

rmSync(dist, { recursive: true, force: true });
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
cpSync(join(folder, 'src'), join(work, 'src'), { recursive: true, filter: (file) => !file.endsWith('.test.ts') });
writeFileSync(join(work, 'src', 'operation-types.ts'), formatOperationTypesText());
writeFileSync(join(work, 'package.json'), '{ "type": "module" }\n');
compile('esm');
compile('cjs');
writeFileSync(join(dist, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
const rows = Object.entries(ENDPOINTS as Readonly<Record<string, Endpoint>>).filter(([name]) => name in OPERATIONS);
writeFileSync(join(dist, 'operations.json'), `${JSON.stringify(rows.map(([name, row]) => describe(name, row)))}\n`);
rmSync(work, { recursive: true, force: true });
