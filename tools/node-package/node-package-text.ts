import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleNode } from '../../sdks/n8n/build/bundle-node.ts';

export const NODE_PACKAGE_FILE = 'packages/runtimes/src/workflow-automation-managed/bundle/node-package.json';

/** Returns the built package as JSON. It is built into an empty folder. */
export const formatNodePackage = async (dist: string, manifest: string): Promise<string> => {
  await bundleNode(dist);
  const { devDependencies: _, ...described } = JSON.parse(manifest) as { readonly version: string; readonly devDependencies: object };
  const built = readdirSync(dist)
    .toSorted()
    .map((name) => ({ path: `dist/${name}`, content: readFileSync(join(dist, name), 'utf8') }));
  const files = [...built, { path: 'package.json', content: `${JSON.stringify(described, null, 2)}\n` }];
  const generated = 'Written by npm run generate -- node-package. Do not edit.';
  return `${JSON.stringify({ generated, version: described.version, files }, null, 2)}\n`;
};
