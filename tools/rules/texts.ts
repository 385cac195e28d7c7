import type { ProjectRule, RuleFinding } from '../tree.ts';

/** Names of the machine that runs the check: they do not belong in files of the project. */
export type MachineNames = { readonly folders: readonly string[]; readonly hosts: readonly string[] };

type Forbidden = { readonly pattern: RegExp; readonly says: string; readonly where: (path: string) => boolean };

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const anywhere = (): boolean => true;
const inTests = (path: string): boolean => path.endsWith('.test.ts');
const inSources = (path: string): boolean => path.endsWith('.ts');

/** A character in brackets keeps a pattern from matching itself. */
const forbidden = ({ folders, hosts }: MachineNames): Forbidden[] => [
  { pattern: /(?<![\w.~-])\/(home|Users)\/[a-z]/, says: 'a path on one person’s machine', where: anywhere },
  ...folders.map((folder) => ({
    pattern: new RegExp(`(?<![\\w.-])${escaped(folder)}(?![\\w-])`),
    says: 'a path on this machine',
    where: anywhere,
  })),
  ...hosts.map((host) => ({ pattern: new RegExp(escaped(host)), says: 'the host of a package registry', where: anywhere })),
  { pattern: /\b(TO[D]O|FIX[M]E|XX[X])\b/, says: 'a note to self; do it, or say it to people in the documents', where: anywhere },
  { pattern: /\b(test|it|describe|suite)\.(only|skip|todo)\(/, says: 'a test that does not run', where: inTests },
  { pattern: /@ts-(?:ignore|nocheck)\b/, says: 'the types are silenced', where: inSources },
];

/** Checks that no text of the project contains a machine's name, a note to self, or a disabled test or type check. */
export const checkTexts =
  (machine: MachineNames): ProjectRule =>
  (tree) => {
    const all = forbidden(machine);
    const listFindings = (path: string): RuleFinding[] =>
      tree
        .text(path)
        .split('\n')
        .flatMap((text, index) =>
          all.filter(({ pattern, where }) => where(path) && pattern.test(text)).map(({ says }) => ({ path, line: index + 1, says })),
        );
    return tree.paths.filter((path) => path !== 'package-lock.json').flatMap(listFindings);
  };
