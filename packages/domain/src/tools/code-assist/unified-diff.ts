const CONTEXT_LINES = 3;

type Hunk = { readonly from: number; readonly to: number; readonly lines: readonly string[] };
export type LineChange = { readonly at: number; readonly before: readonly string[]; readonly after: readonly string[] };

const hunkText = ({ from, to, lines }: Hunk): string => {
  const olds = lines.filter((line) => !line.startsWith('+')).length;
  const news = lines.filter((line) => !line.startsWith('-')).length;
  return [`@@ -${from},${olds} +${to},${news} @@`, ...lines].join('\n');
};

/** A patch in the unified format. Changes replace whole lines, in their order and without overlap; `at` is a line from 0. */
export const unifiedDiff = (file: string, source: string, changes: readonly LineChange[]): string => {
  const lines = source.split('\n');
  const context = (from: number, to: number): string[] => lines.slice(Math.max(from, 0), to).map((line) => ` ${line}`);
  let shift = 0;
  const hunks = changes.map(({ at, before, after }, index) => {
    const floor = index === 0 ? 0 : (changes[index - 1]?.at ?? 0) + (changes[index - 1]?.before.length ?? 0);
    const ceiling = changes[index + 1]?.at ?? lines.length;
    const end = at + before.length;
    const start = Math.max(at - CONTEXT_LINES, floor);
    const upTo = index === changes.length - 1 ? Math.min(end + CONTEXT_LINES, ceiling) : end;
    const body = [...context(start, at), ...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`), ...context(end, upTo)];
    const hunk = { from: start + 1, to: start + 1 + shift, lines: body };
    shift += after.length - before.length;
    return hunkText(hunk);
  });
  return [`--- a/${file}`, `+++ b/${file}`, ...hunks, ''].join('\n');
};
