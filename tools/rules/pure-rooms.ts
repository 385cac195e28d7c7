import { PURE_ROOMS } from '../layers.ts';
import type { SourceFile } from '../source.ts';
import type { ProjectRule, RuleFinding } from '../tree.ts';

/** Packages with synchronous results only; in enforcement the ports may be awaited. */
const immediate = PURE_ROOMS.filter((room) => room !== 'enforcement');

const worldlyMembers: Readonly<Record<string, readonly string[]>> = {
  Date: ['now'],
  Math: ['random'],
};

const worldlyUses = (source: SourceFile): RuleFinding[] => {
  const findings: RuleFinding[] = [];
  const report = (offset: number, what: string): void => {
    findings.push({
      path: source.path,
      line: source.lineAt(offset),
      says: `${what} in the pure room ${source.room}; take it as an argument`,
    });
  };
  const waits = immediate.includes(source.room);
  source.visit({
    MemberExpression({ object, property, start }) {
      if (object.type !== 'Identifier') return;
      const name = property.type === 'Identifier' ? property.name : property.type === 'Literal' ? String(property.value) : '';
      if (worldlyMembers[object.name]?.includes(name)) report(start, `${object.name}.${name}`);
    },
    NewExpression({ callee, arguments: values, start }) {
      if (callee.type === 'Identifier' && callee.name === 'Date' && values.length === 0) report(start, 'the time of day');
    },
    CallExpression({ callee, start }) {
      if (callee.type === 'Identifier' && callee.name === 'Date') report(start, 'the time of day');
    },
    AwaitExpression({ start }) {
      if (waits) report(start, 'await');
    },
  });
  return findings;
};

const worldlyImports = (source: SourceFile): RuleFinding[] =>
  source.imports
    .filter(({ specifier }) => specifier.startsWith('node:'))
    .map(({ specifier, line }) => ({ path: source.path, line, says: `${specifier} in the pure room ${source.room}` }));

/** Checks that pure packages use no clock, no randomness and no I/O. The linter checks globals such as `process` and `fetch`. */
export const checkPureRooms: ProjectRule = (tree) =>
  tree.sources
    .filter((source) => PURE_ROOMS.includes(source.room) && !source.isTest)
    .flatMap((source) => [...worldlyImports(source), ...worldlyUses(source)]);
