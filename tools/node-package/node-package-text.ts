import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const NODE_PACKAGE_FILE = 'packages/runtimes/src/workflow-automation-managed/bundle/node-package.json';

/** Returns the built package as JSON. It is built into an empty folder. */
export const formatNodePackage = (dist: string, manifest: string): string => {
  // The node is no package of this workspace, so it is built as its developers build it.
  execFileSync(process.execPath, [resolve(import.meta.dirname, '../../sdks/n8n/build/main.ts'), dist]);
  const { devDependencies: _, ...described } = JSON.parse(manifest) as { readonly version: string; readonly devDependencies: object };
  const built = readdirSync(dist)
    .toSorted()
    .map((name) => ({ path: `dist/${name}`, content: readFileSync(join(dist, name), 'utf8') }));
  const files = [...built, { path: 'package.json', content: `${JSON.stringify(described, null, 2)}\n` }];
  const generated = 'Written by npm run generate -- node-package. Do not edit.';
  return `${JSON.stringify({ generated, version: described.version, files }, null, 2)}\n`;
};
