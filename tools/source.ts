import { parseSync, Visitor, type VisitorObject } from 'oxc-parser';

export type Import = { readonly specifier: string; readonly line: number; readonly typeOnly: boolean };

/** One comment without its delimiters. */
type Comment = { readonly text: string; readonly line: number };

/** One parsed TypeScript file. */
export type SourceFile = {
  readonly path: string;
  readonly text: string;
  /** Folder of the package or app it lives in, else its top folder: `packages/contract`, `tools`. */
  readonly folder: string;
  /** The last name of that folder: `contract`, `gateway`, `tools`, `e2e`. */
  readonly room: string;
  /** True for tests and for fixtures (`.fixture.ts`), which only tests import. */
  readonly isTest: boolean;
  readonly lineCount: number;
  readonly imports: readonly Import[];
  readonly comments: readonly Comment[];
  readonly lineAt: (offset: number) => number;
  readonly visit: (visitor: VisitorObject) => void;
};

const getFolder = (path: string): string => {
  const [top = '', name = ''] = path.split('/');
  return top === 'packages' || top === 'apps' ? `${top}/${name}` : top;
};

const listImports = (parsed: ReturnType<typeof parseSync>, text: string, lineAt: (offset: number) => number): Import[] => {
  const { staticImports, staticExports, dynamicImports } = parsed.module;
  const fromImports = staticImports.map(({ start, moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    line: lineAt(start),
    typeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
  }));
  const fromExports = staticExports.flatMap(({ start, entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? [{ specifier: moduleRequest.value, line: lineAt(start), typeOnly: isType }] : [],
    ),
  );
  const fromCalls = dynamicImports.flatMap(({ start, moduleRequest }) => {
    const written = /^(['"`])([^$]*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    return written?.[2] === undefined ? [] : [{ specifier: written[2], line: lineAt(start), typeOnly: false }];
  });
  return [...fromImports, ...fromExports, ...fromCalls];
};

/** Returns the line of each offset, from 1. Line breaks are found once, on the first call. */
const listLines = (text: string): ((offset: number) => number) => {
  let ends: number[] | undefined;
  return (offset) => {
    ends ??= Array.from(text.matchAll(/\n/g), ({ index }) => index);
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
};

/** Parses a file, or returns why it does not parse. */
export const parseSource = (path: string, text: string): SourceFile | { readonly path: string; readonly says: string } => {
  const parsed = parseSync(path, text);
  const [error] = parsed.errors;
  if (error) return { path, says: `does not parse: ${error.message}` };
  const lineAt = listLines(text);
  const folder = getFolder(path);
  return {
    path,
    text,
    folder,
    room: folder.slice(folder.lastIndexOf('/') + 1),
    isTest: /\.(test|fixture)\.ts$/.test(path),
    lineCount: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    imports: listImports(parsed, text, lineAt),
    comments: parsed.comments.map(({ value, start }) => ({ text: value.replace(/^\s*\*+ ?/gm, '').trim(), line: lineAt(start) })),
    lineAt,
    visit: (visitor) => new Visitor(visitor).visit(parsed.program),
  };
};
