import { posix } from 'node:path';
import type { SourceFile } from '../source.ts';
import type { ProjectRule, RuleFinding } from '../tree.ts';

const WEB = 'apps/console/web/';
/**
 * Folders of the console from the lowest layer up; each imports only itself and those before it. Folders of areas hold the pages and come
 * last.
 */
const LAYERS = ['data', 'design', 'layout'];

const getLayer = (path: string): number => {
  const index = LAYERS.indexOf(path.split('/')[0] ?? '');
  return index < 0 ? LAYERS.length : index;
};

/** Path below the folder of the console; undefined for other files, and for files in that folder itself, which join the layers. */
const pathInside = (path: string): string | undefined => {
  const inside = path.startsWith(WEB) ? path.slice(WEB.length) : '';
  return inside.includes('/') ? inside : undefined;
};

const wrongLayers = (source: SourceFile, path: string): RuleFinding[] =>
  source.imports.flatMap(({ specifier, line }) => {
    const target = specifier.startsWith('.') ? pathInside(posix.join(posix.dirname(source.path), specifier)) : undefined;
    if (target === undefined || getLayer(target) <= getLayer(path)) return [];
    return [{ path: source.path, line, says: `${path.split('/')[0]} may not import ${target}: layers are ${LAYERS.join(', ')}, pages` }];
  });

/** Only `data` reads from the service; other layers use its hooks, or send changes with its typed client. */
const wrongFetches = (source: SourceFile, path: string): RuleFinding[] => {
  const findings: RuleFinding[] = [];
  const report = (offset: number, what: string): void => {
    findings.push({
      path: source.path,
      line: source.lineAt(offset),
      says: `${what} outside of ${WEB}data; use a hook or the client of data`,
    });
  };
  for (const { specifier, line } of source.imports)
    if (specifier === '@tanstack/react-query') findings.push({ path: source.path, line, says: `${specifier} outside of ${WEB}data` });
  source.visit({
    CallExpression({ callee, start }) {
      if (callee.type === 'Identifier' && callee.name === 'fetch') report(start, 'fetch');
    },
  });
  return path.startsWith('data/') ? [] : findings;
};

/** The console's folders are layers, and only the lowest reads from the service. */
export const getConsoleLayers: ProjectRule = (tree) =>
  tree.sources.flatMap((source) => {
    const path = pathInside(source.path);
    return path === undefined || source.isTest ? [] : [...wrongLayers(source, path), ...wrongFetches(source, path)];
  });
