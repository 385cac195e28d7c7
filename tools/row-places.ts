import { posix } from 'node:path';
import type { Expression } from 'oxc-parser';
import type { SourceFile } from './source.ts';
import type { Tree } from './tree.ts';

/** Members of an endpoint's row by which the tools find its files. */
export type PlacedRow = { readonly plane: 'control' | 'gateway'; readonly area: string };
export type PlacedRows = Readonly<Record<string, PlacedRow>>;

export const APP_OF = { control: 'apps/control-plane', gateway: 'apps/gateway' } as const;

const toKebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns the files of a plane that are named like an operation; there is one. */
export const getHandlers = (tree: Tree, name: string, { plane }: PlacedRow): readonly string[] => {
  const file = `${toKebab(name)}.ts`;
  return tree.sources.map(({ path }) => path).filter((path) => path.startsWith(`${APP_OF[plane]}/src/`) && posix.basename(path) === file);
};

const findLiteral = (value: Expression | null): Expression | null =>
  value?.type === 'TSAsExpression' || value?.type === 'TSSatisfiesExpression' ? findLiteral(value.expression) : value;

const listMembers = (source: SourceFile): string[] => {
  const names: string[] = [];
  source.visit({
    ExportNamedDeclaration({ declaration }) {
      if (declaration?.type !== 'VariableDeclaration') return;
      for (const { init } of declaration.declarations) {
        const literal = findLiteral(init);
        if (literal?.type !== 'ObjectExpression') continue;
        for (const one of literal.properties)
          if (one.type === 'Property' && one.key.type === 'Identifier' && one.value.type === 'CallExpression') names.push(one.key.name);
      }
    },
  });
  return names;
};

/** Returns the files of the contract that write a row: each is a member of an object that its file exports, built by a call. */
export const getRowFiles = (tree: Tree): ReadonlyMap<string, readonly string[]> => {
  const files = new Map<string, string[]>();
  for (const source of tree.sources) {
    if (!source.path.startsWith('packages/contract/src/') || source.isTest) continue;
    for (const name of listMembers(source)) files.set(name, [...(files.get(name) ?? []), source.path]);
  }
  return files;
};
