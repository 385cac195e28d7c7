import type { Class, TSType } from 'oxc-parser';
import type { SourceFile } from '../source.ts';
import type { ProjectRule, RuleFinding } from '../tree.ts';

const emptyNames = new Set(['shared', 'core', 'common', 'util', 'utils', 'helper', 'helpers', 'misc', 'types', 'index']);
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Rooms whose public face is constructed with `new`, because that is what users of a client library expect. */
const roomsWithClasses: readonly string[] = ['sdk'];

/** Entry points of published packages, which export what users import by one name. */
const entryPoints: ReadonlySet<string> = new Set(['packages/client/src/client.ts']);

const wrongNames = (path: string): RuleFinding[] => {
  const segments = path.split('/').map((segment) => segment.split('.')[0] ?? '');
  const empty = segments.filter((segment) => emptyNames.has(segment));
  const file = segments.at(-1) ?? '';
  return [
    ...empty.map((name) => ({ path, says: `the name ${name} says nothing; name the noun or the duty` })),
    ...(kebab.test(file) ? [] : [{ path, says: `${file} is not kebab-case` }]),
  ];
};

/** Files that hold handlers to their rows: a cast could let a code or a member out that the row does not name. */
const keepsPromises = ({ path, isTest }: SourceFile): boolean =>
  !isTest && /^(apps|packages\/(contract|enforcement|domain|policy|http))\//.test(path);

/** Returns an unsound cast: to a type parameter, or of a code to those of a row. */
const wrongCast = (type: TSType): string | undefined => {
  if (type.type === 'TSNeverKeyword') return 'a cast to never, which fits everywhere and so proves nothing; say what it is';
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return undefined;
  const { name } = type.typeName;
  return /^Refusal$|Code$/.test(name)
    ? `a cast to ${name}, by which a row could answer a code it does not name; declare the codes`
    : undefined;
};

const wrongForms = (source: SourceFile): RuleFinding[] => {
  const findings: RuleFinding[] = [];
  const report = (offset: number, says: string): void => {
    findings.push({ path: source.path, line: source.lineAt(offset), says });
  };
  const judgeClass = ({ start, superClass }: Class): void => {
    const isThrown = superClass?.type === 'Identifier' && superClass.name.endsWith('Error');
    if (!isThrown && !roomsWithClasses.includes(source.room)) report(start, 'a class that is not a thrown error; use values and functions');
  };
  source.visit({
    ClassDeclaration: judgeClass,
    ClassExpression: judgeClass,
    Decorator: ({ start }) => report(start, 'a decorator'),
    ExportAllDeclaration: ({ start }) => report(start, 're-exports everything; import from the file that defines it'),
    ExportNamedDeclaration: ({ start, source: from }) => {
      if (from && !entryPoints.has(source.path)) report(start, 're-exports; import from the file that defines it');
    },
    TSEnumDeclaration: ({ start }) => report(start, 'an enum; use a list of words `as const`'),
    TSAsExpression: ({ start, typeAnnotation }) => {
      const says = keepsPromises(source) ? wrongCast(typeAnnotation) : undefined;
      if (says !== undefined) report(start, says);
    },
    ExportDefaultDeclaration: ({ start }) => report(start, 'a default export; name it'),
  });
  return findings;
};

/** Checks that names are meaningful, and that forbidden forms are not used. */
export const checkForm: ProjectRule = (tree) => [
  ...tree.unparsed,
  ...tree.sources.flatMap((source) => [...wrongNames(source.path), ...wrongForms(source)]),
];
